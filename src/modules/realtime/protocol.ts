import { type Failure, validationFailed } from '../../kernel/failures.ts';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import {
  type Command,
  malformedMessage,
  unknownChannel,
  unknownType,
} from '../../kernel/live/live-commands.ts';
import { MAX_REQUEST_ID_LENGTH } from '../../kernel/live/live-limits.ts';
import { bodyCheck, type Check } from '../../kernel/operations/validation.ts';
import { isSafeText, unsafeText } from '../../kernel/text/safe-text.ts';
import { MAX_CLIENT_ID_LENGTH } from '../chat/contract.ts';

/** A received command with validated fields. */
export interface ReceivedCommand {
  command: Command;
  fields: object;
}

interface Place {
  chatroomId?: ObjectId;
  clientMessageId?: string;
}

export interface Envelope {
  /** Echoed in the response. */
  requestId: string | number | undefined;
  /** Undefined if it is not text. */
  type: string | undefined;
  channel: string | undefined;
  /** The room and the message that it concerns, which a refusal repeats; without what is not valid. */
  place: Place;
  /** @throws malformedMessage, unsafeText, unknownType, unknownChannel, 422 with every fault */
  read(): ReceivedCommand;
}

const CHANNELLED = ['subscribe', 'unsubscribe'];

const nameOf = ({ type, channel }: Pick<Command, 'type' | 'channel'>): string =>
  channel === undefined ? type : `${type} ${channel}`;

/** Parses the messages of clients. @throws when two commands have the same name */
export function protocol(commands: Command[]) {
  const commandsByType = new Map<string, { command: Command; fieldsOf: Check; maxItems: number }>();
  for (const command of commands) {
    const name = nameOf(command);
    if (commandsByType.has(name)) throw new Error(`two commands are called ${name}`);
    commandsByType.set(name, {
      command,
      fieldsOf: bodyCheck(command.fields),
      maxItems: longestListOf(command),
    });
  }
  const maxItems = Math.max(0, ...[...commandsByType.values()].map((one) => one.maxItems));

  /** @throws malformedMessage, unsafeText, unknownType, unknownChannel, 422 with every fault */
  function read(raw: Record<string, unknown>): ReceivedCommand {
    const { type, channel } = raw;
    if (typeof type !== 'string') throw malformedMessage();
    // Text that PostgreSQL cannot store is rejected here, so that the failure refers to the request.
    if (Object.values(raw).some((value) => typeof value === 'string' && !isSafeText(value)))
      throw unsafeText();
    const isChannelled = CHANNELLED.includes(type);
    if (isChannelled && channel === undefined)
      throw validationFailed([{ field: 'channel', message: 'is required' }]);
    if (isChannelled && typeof channel !== 'string') throw unknownChannel();
    refuseLongLists(raw, maxItems);
    const found = commandsByType.get(isChannelled ? `${type} ${channel}` : type);
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
      requestId: requestIdOf(requestId),
      // Read only where a command is refused.
      get place() {
        return placeOf(raw);
      },
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

/** Returns the client's request id, truncated if it is a long text; undefined if it is neither text nor a number. */
function requestIdOf(requestId: unknown): string | number | undefined {
  if (typeof requestId === 'string') return requestId.slice(0, MAX_REQUEST_ID_LENGTH);
  return typeof requestId === 'number' && Number.isFinite(requestId) ? requestId : undefined;
}

function placeOf({ chatroomId, clientMessageId }: Record<string, unknown>): Place {
  return {
    ...(isText(chatroomId) && OBJECT_ID.test(chatroomId) ? { chatroomId } : {}),
    ...(isText(clientMessageId) && isSafeText(clientMessageId) && isShort(clientMessageId)
      ? { clientMessageId }
      : {}),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isShort = (text: string): boolean => text !== '' && text.length <= MAX_CLIENT_ID_LENGTH;

/** Returns the length of the longest list that a command accepts. */
const longestListOf = ({ fields }: Command): number =>
  Math.max(0, ...Object.values(fields.properties).map((one) => (one as { maxItems?: number }).maxItems ?? 0));

/** Rejects overlong lists before validating items, which would report a fault for each. */
function refuseLongLists(raw: Record<string, unknown>, maxItems: number): void {
  for (const [field, value] of Object.entries(raw))
    if (Array.isArray(value) && value.length > maxItems)
      throw validationFailed([{ field, message: `must have at most ${maxItems} items` }]);
}

interface FailureData {
  code: string;
  message: string;
  errors?: { field: string; message: string }[];
  retryAfter?: number;
  mutedUntil?: Date;
}

/** Returns the fields that describe a failure, with the same codes as over HTTP. */
export function failureData({ code, message, details }: Failure): FailureData {
  const { errors, retryAfterSeconds, mutedUntil } = details;
  return {
    code,
    message,
    ...(errors ? { errors } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    ...(mutedUntil ? { mutedUntil } : {}),
  };
}
