import type { Static, TObject } from 'typebox';
import { type FailureMaker, failure, serviceUnavailable, validationFailed } from '../failures.ts';
import { authenticationRequired, expiredToken, invalidToken } from '../operations/access.ts';
import type { UserCaller } from '../operations/callers.ts';
import { unsafeText } from '../text/safe-text.ts';
import type { LiveMessage, LiveMessageKind } from './live.ts';

/** The connection that sent a command, as modules see it. */
export interface LiveConnection {
  /** Returns whether it is subscribed to a channel of {@link liveChannel}. */
  isOn(channel: string): boolean;
}

interface CommandContext<Fields extends object, Connection extends LiveConnection> {
  fields: Fields;
  /** The sender; missing for commands that `anyone` may send. */
  caller: UserCaller;
  connection: Connection;
}

/** An answer with follow-up work. */
export interface Reply {
  message: LiveMessage;
  /** Called once the reply has been sent. */
  afterwards?: () => void;
}

/** How often a member may send a command within one process. */
interface Throttle<Fields extends object> {
  /** Minimum time between two commands with the same key. */
  everyMs: number;
  keyOf(fields: Fields): string;
  /** What the key names, in words: `room`. */
  of: string;
  /** Maximum number of commands a second with whatever keys. */
  perSecond: number;
}

export interface CommandOptions<Fields extends object, Connection extends LiveConnection = LiveConnection> {
  /** The `type` that clients send: `chat:send`. */
  type: string;
  /** The value of `channel`, for `subscribe` and `unsubscribe`, which are declared as one command for each channel. */
  channel?: string;
  /** One sentence that says what the command does. */
  summary: string;
  /**
   * Who may send it: `anyone`, even before `auth`; `signed-in`, the member the connection was authenticated for;
   * `verified`, the default, that member after the session, token and permissions are looked up again.
   */
  access?: 'anyone' | 'signed-in' | 'verified';
  /** Failures besides those that its fields and its access imply. */
  failures?: FailureMaker[];
  /** The answer, for commands that have one. */
  answer?: LiveMessageKind;
  /** The answer to a rejected command; by default a message of type `error`. */
  refusal?: LiveMessageKind;
  /** The rate limit that the handler enforces, in words. */
  limit?: string;
  /** Ignores commands of a member that come too often, over all their connections, without an answer. */
  throttle?: Throttle<Fields>;
  handle(context: CommandContext<Fields, Connection>): Promise<Reply | LiveMessage | undefined>;
}

/** A command that clients may send over the live channel, with its handler. */
export interface Command extends CommandOptions<object> {
  fields: TObject;
}

/**
 * Declares a command. Its fields are checked before `handle` is called; errors that `handle` throws are answered as
 * failures. Every text, number and list in `fields` needs a limit.
 */
export const command = <Fields extends TObject, Connection extends LiveConnection = LiveConnection>({
  fields,
  ...options
}: { fields: Fields } & CommandOptions<Static<Fields> & object, Connection>): Command => ({
  ...options,
  fields,
});

export const malformedMessage = failure(
  400,
  'INVALID_MESSAGE',
  'A message must be a JSON object with a type',
);
export const unknownType = failure(400, 'UNKNOWN_TYPE', 'Unknown message type');
export const unknownChannel = failure(
  422,
  'UNKNOWN_CHANNEL',
  'channel must be chatroom, notifications or market',
);
export const tooFast = failure(429, 'RATE_LIMIT_EXCEEDED', 'Rate limit exceeded. Please wait.', {
  retryAfterSeconds: 1,
});

/** Failures of messages that are not commands. */
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

/** A close code of the server, and what clients should do after it. */
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

/**
 * Merges the contributions of all modules.
 * @throws when two messages have the same type
 */
export function collectLive(modules: readonly { live?: Partial<LiveContributions> }[]): LiveContributions {
  const all = modules.flatMap(({ live }) => live ?? []);
  const messages = all.flatMap((one) => one.messages ?? []);
  const types = messages.map(({ type }) => type);
  const repeated = types.find((type, place) => types.indexOf(type) !== place);
  if (repeated !== undefined) throw new Error(`two live messages have the type ${repeated}`);
  return {
    messages,
    commands: all.flatMap((one) => one.commands ?? []),
    closes: all.flatMap((one) => one.closes ?? []),
  };
}
