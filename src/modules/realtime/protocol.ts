import { type Failure, validationFailed } from '../../kernel/failures.ts';
import { type Command, malformedMessage, unknownChannel, unknownType } from '../../kernel/live-commands.ts';
import type { Check } from '../../kernel/operations/validation.ts';
import { checker } from '../../kernel/operations/validation.ts';
import { isSafeText, unsafeText } from '../../kernel/safe-text.ts';

/** A command as it was sent, with its fields checked. */
export interface ReceivedCommand {
  command: Command;
  fields: object;
}

export interface Envelope {
  /** Echoed in what answers it. */
  requestId: string | number | undefined;
  /** Missing when it is none that there could be. */
  type: string | undefined;
  channel: string | undefined;
  /** @throws malformedMessage, unknownType, unknownChannel, 422 with every fault */
  read(): ReceivedCommand;
}

const MAX_REQUEST_ID_LENGTH = 64;
const CHANNELLED = ['subscribe', 'unsubscribe'];

const nameOf = ({ type, channel }: Pick<Command, 'type' | 'channel'>): string =>
  channel === undefined ? type : `${type} ${channel}`;

/** Reads what clients send. @throws when two commands have the same name */
export function protocol(commands: Command[]) {
  const check = checker();
  const known = new Map<string, { command: Command; fieldsOf: Check; maxItems: number }>();
  for (const command of commands) {
    const name = nameOf(command);
    if (known.has(name)) throw new Error(`two commands are called ${name}`);
    known.set(name, { command, fieldsOf: check.body(command.fields), maxItems: longestListOf(command) });
  }
  const maxItems = Math.max(0, ...[...known.values()].map((one) => one.maxItems));

  /** @throws malformedMessage, unsafeText, unknownType, unknownChannel, 422 with every fault */
  function read(raw: Record<string, unknown>): ReceivedCommand {
    const { type, channel } = raw;
    if (typeof type !== 'string') throw malformedMessage();
    // What PostgreSQL cannot store is refused here, so that the refusal names the request.
    if (Object.values(raw).some((value) => typeof value === 'string' && !isSafeText(value)))
      throw unsafeText();
    const isChannelled = CHANNELLED.includes(type);
    if (isChannelled && channel === undefined)
      throw validationFailed([{ field: 'channel', message: 'is required' }]);
    if (isChannelled && typeof channel !== 'string') throw unknownChannel();
    refuseLongLists(raw, maxItems);
    const found = known.get(isChannelled ? `${type} ${channel}` : type);
    if (!found) throw isChannelled ? unknownChannel() : unknownType();
    return { command: found.command, fields: found.fieldsOf(raw) as object };
  }

  /** @throws malformedMessage */
  return function open(text: string): Envelope {
    const raw = parse(text);
    const { type, channel, requestId } = raw;
    return {
      type: typeof type === 'string' ? type : undefined,
      channel: typeof channel === 'string' ? channel : undefined,
      requestId: echoOf(requestId),
      read: () => read(raw),
    };
  };
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedMessage();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformedMessage();
  return value as Record<string, unknown>;
}

/** Returns what a client calls its request, as the very text or number that it sent. */
function echoOf(requestId: unknown): string | number | undefined {
  if (typeof requestId === 'string') return requestId.slice(0, MAX_REQUEST_ID_LENGTH);
  return typeof requestId === 'number' && Number.isFinite(requestId) ? requestId : undefined;
}

/** The longest list that a command takes. */
const longestListOf = ({ fields }: Command): number =>
  Math.max(0, ...Object.values(fields.properties).map((one) => (one as { maxItems?: number }).maxItems ?? 0));

/** Looks at no item of a list that is too long anyway: there would be a fault for each. */
function refuseLongLists(raw: Record<string, unknown>, maxItems: number): void {
  for (const [field, value] of Object.entries(raw))
    if (Array.isArray(value) && value.length > maxItems)
      throw validationFailed([{ field, message: `must NOT have more than ${maxItems} items` }]);
}

interface FailureData {
  code: string;
  message: string;
  errors?: { field: string; message: string }[];
  retryAfter?: number;
}

/** Returns what is told of a failure; the same codes as over HTTP. */
export function failureData({ code, message, details }: Failure): FailureData {
  const { errors, retryAfterSeconds } = details;
  return {
    code,
    message,
    ...(errors ? { errors } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}
