import { type Static, type TSchema, Type } from 'typebox';
import { SYMBOL_PATTERN } from '../../external/prices/port.ts';
import { type Failure, failure, tooManyRequests, validationFailed } from '../../kernel/failures.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { checker } from '../../kernel/operations/validation.ts';
import { isSafeText, unsafeText } from '../../kernel/safe-text.ts';
import { ClientMessageId, MessageText } from '../chat/contract.ts';

export const malformedMessage = failure(400, 'INVALID_MESSAGE', 'A message is a JSON object with a type');
const unknownType = failure(400, 'UNKNOWN_TYPE', 'There is no such type of message');
const unknownChannel = failure(422, 'UNKNOWN_CHANNEL', 'channel must be chatroom, notifications or market');
export const notYourOwn = failure(403, 'FORBIDDEN', 'Only your own notifications');
export const tooManySymbols = failure(422, 'TOO_MANY_SYMBOLS', 'At most 100 symbols on one connection');
export const tooManySubscriptions = failure(
  422,
  'TOO_MANY_SUBSCRIPTIONS',
  'At most 128 subscriptions on one connection',
);
export const tooFast = () => tooManyRequests('RATE_LIMIT_EXCEEDED', 1);
export const noPrices = failure(503, 'PRICES_UNAVAILABLE', 'There is no price feed');

export const MAX_SYMBOLS = 100;

const Symbols = Type.Array(Type.String({ pattern: SYMBOL_PATTERN, examples: ['EURUSD'] }), {
  minItems: 1,
  maxItems: MAX_SYMBOLS,
});
const chatroomId = ObjectIdShape;

/** What clients send, by `type`, and for (un)subscribe by `channel` (part 2, WebSocket). */
const SHAPES = {
  auth: Type.Object({ token: Type.String({ minLength: 1, maxLength: 4096 }) }),
  'subscribe chatroom': Type.Object({
    chatroomId,
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  'subscribe notifications': Type.Object({ userId: ObjectIdShape }),
  'subscribe market': Type.Object({ symbols: Symbols }),
  'unsubscribe chatroom': Type.Object({ chatroomId }),
  'unsubscribe notifications': Type.Object({ userId: Type.Optional(ObjectIdShape) }),
  'unsubscribe market': Type.Object({ symbols: Type.Optional(Symbols) }),
  'chat:send': Type.Object({
    chatroomId,
    message: MessageText,
    clientMessageId: Type.Optional(ClientMessageId),
  }),
  'chat:typing': Type.Object({ chatroomId }),
  ping: Type.Object({}),
};
type Kind = keyof typeof SHAPES;
export type Messages = { [K in Kind]: Static<(typeof SHAPES)[K]> };

/** A message as it was sent: of what kind, and what is in it. */
export type ClientMessage = { [K in Kind]: { kind: K; fields: Messages[K] } }[Kind];

export interface Envelope {
  /** Echoed in whatever answers it. */
  requestId: string | number | undefined;
  /** Missing when it is none that there could be. */
  type: string | undefined;
  channel: string | undefined;
  /** @throws malformedMessage, unknownType, unknownChannel, 422 with every fault */
  read(): ClientMessage;
}

const MAX_REQUEST_ID_LENGTH = 64;
/** The longest list that any message has. */
const MAX_LIST_LENGTH = MAX_SYMBOLS;
const CHANNELLED = ['subscribe', 'unsubscribe'];

/** Reads what clients send. */
export function protocol() {
  const check = checker();
  const checks = new Map(Object.entries(SHAPES).map(([kind, shape]) => [kind, check.body(shape as TSchema)]));

  /** @throws malformedMessage, unsafeText, unknownType, unknownChannel, 422 with every fault */
  function read(raw: Record<string, unknown>): ClientMessage {
    const { type, channel } = raw;
    if (typeof type !== 'string') throw malformedMessage();
    // What PostgreSQL would choke on is asked here, so that the refusal names the request.
    if (Object.values(raw).some((value) => typeof value === 'string' && !isSafeText(value)))
      throw unsafeText();
    const isChannelled = CHANNELLED.includes(type);
    if (isChannelled && channel === undefined)
      throw validationFailed([{ field: 'channel', message: 'is required' }]);
    if (isChannelled && typeof channel !== 'string') throw unknownChannel();
    refuseLongLists(raw);
    const kind = isChannelled ? `${type} ${channel}` : type;
    const fieldsOf = checks.get(kind);
    if (!fieldsOf) throw isChannelled ? unknownChannel() : unknownType();
    return { kind, fields: fieldsOf(raw) } as ClientMessage;
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

/** What a client calls its request, as the very text or number that it sent. */
function echoOf(requestId: unknown): string | number | undefined {
  if (typeof requestId === 'string') return requestId.slice(0, MAX_REQUEST_ID_LENGTH);
  return typeof requestId === 'number' && Number.isFinite(requestId) ? requestId : undefined;
}

/** Looks at no item of a list that is too long anyway: there would be a fault for each. */
function refuseLongLists(raw: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(raw))
    if (Array.isArray(value) && value.length > MAX_LIST_LENGTH)
      throw validationFailed([{ field, message: `must NOT have more than ${MAX_LIST_LENGTH} items` }]);
}

/** What is told of a failure; the same codes as over HTTP. */
export function failureData({ code, message, details }: Failure): object {
  const { errors, retryAfterSeconds } = details;
  return {
    code,
    message,
    ...(errors ? { errors } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}
