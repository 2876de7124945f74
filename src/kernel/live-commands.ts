import type { Static, TObject } from 'typebox';
import {
  type Failure,
  type FailureMaker,
  failure,
  serviceUnavailable,
  tooManyRequests,
  validationFailed,
} from './failures.ts';
import type { LiveMessage, LiveMessageKind } from './live.ts';
import { authenticationRequired, expiredToken, invalidToken } from './operations/access.ts';
import type { UserCaller } from './operations/callers.ts';
import { unsafeText } from './safe-text.ts';

/** The connection that a command came over, as far as modules know it. */
export interface LiveConnection {
  /** Returns whether it is subscribed to a channel of {@link liveChannel}. */
  isOn(channel: string): boolean;
}

interface CommandContext<Fields extends object, Connection extends LiveConnection> {
  fields: Fields;
  /** Who sent it; missing for commands that `anyone` may send. */
  caller: UserCaller;
  connection: Connection;
}

/** An answer with what is to follow it. */
export interface Reply {
  message: LiveMessage;
  /** Called once the answer is on its way. */
  afterwards?: () => void;
}

export interface CommandOptions<Fields extends object, Connection extends LiveConnection = LiveConnection> {
  /** As clients send it: `chat:send`. */
  type: string;
  /** The field `channel` of `subscribe` and `unsubscribe`, which have a command for each. */
  channel?: string;
  /** One sentence: what it does. */
  summary: string;
  /**
   * Who may send it: `anyone`, before `auth` too; `signed-in`, whom the connection was authenticated for; `verified`, the
   * default, the same with session, token and permissions looked up again.
   */
  access?: 'anyone' | 'signed-in' | 'verified';
  /** What else it may be refused with, besides what its fields and its access imply. */
  failures?: FailureMaker[];
  /** What answers it, where anything does. */
  answer?: LiveMessageKind;
  /** What answers it when it is refused: a message of type `error`, unless it names another. */
  refusal?: LiveMessageKind;
  /** In words: how often it may be sent, where its handler limits that. */
  limit?: string;
  /** Of a connection, one command every so often with the same key is done; others are dropped without an answer. */
  throttle?: { everyMs: number; keyOf(fields: Fields): string };
  handle(context: CommandContext<Fields, Connection>): Promise<Reply | LiveMessage | undefined>;
}

/** What clients may send over the live channel, and what is done about it. */
export interface Command extends CommandOptions<object> {
  fields: TObject;
}

/**
 * Declares a command. Its fields are checked before `handle` is called; what `handle` throws is answered as a failure.
 * A text, a number or a list in `fields` needs its limit.
 */
export const command = <Fields extends TObject, Connection extends LiveConnection = LiveConnection>({
  fields,
  ...options
}: { fields: Fields } & CommandOptions<Static<Fields> & object, Connection>): Command => ({
  ...options,
  fields,
});

export const malformedMessage = failure(400, 'INVALID_MESSAGE', 'A message is a JSON object with a type');
export const unknownType = failure(400, 'UNKNOWN_TYPE', 'There is no such type of message');
export const unknownChannel = failure(
  422,
  'UNKNOWN_CHANNEL',
  'channel must be chatroom, notifications or market',
);
export const tooFast = (): Failure => tooManyRequests('RATE_LIMIT_EXCEEDED', 1);

/** What is answered to messages that are no command. */
export const PROTOCOL_FAILURES: FailureMaker[] = [malformedMessage, unknownType, unknownChannel];

/** Returns every failure that may answer a command: its own, and those that its access and its fields imply. */
export function failuresOf({ access = 'verified', fields, failures = [] }: Command): FailureMaker[] {
  const hasFields = Object.keys(fields.properties).length > 0;
  return [
    ...(access === 'anyone' ? [] : [authenticationRequired]),
    ...(access === 'verified' ? [invalidToken, expiredToken] : []),
    ...(hasFields ? [unsafeText, () => validationFailed([{ field: 'field', message: 'is required' }])] : []),
    ...failures,
    tooFast,
    () => serviceUnavailable(),
  ];
}

/** Why the server closes connections, and what clients do then. */
export interface LiveClose {
  code: number;
  reason: string;
  /** A sentence for the description. */
  advice: string;
}

/** What modules contribute to the live channel. */
export interface LiveContributions {
  messages: LiveMessageKind[];
  commands: Command[];
  closes: LiveClose[];
}

/** Brings together what modules contribute. @throws when two messages have the same type */
export function collectLive(modules: readonly { live?: Partial<LiveContributions> }[]): LiveContributions {
  const all = modules.flatMap(({ live }) => live ?? []);
  const messages = all.flatMap((one) => one.messages ?? []);
  const types = messages.map(({ type }) => type);
  const repeated = types.find((type, place) => types.indexOf(type) !== place);
  if (repeated !== undefined) throw new Error(`two live messages are called ${repeated}`);
  return {
    messages,
    commands: all.flatMap((one) => one.commands ?? []),
    closes: all.flatMap((one) => one.closes ?? []),
  };
}
