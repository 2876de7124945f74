import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import type { Command, Reply } from '../../kernel/live/live-commands.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Connection } from './connection.ts';
import type { ReceivedCommand } from './protocol.ts';
import type { Verifier } from './verifying.ts';

/** Throttling keys kept per connection before expired ones are removed. */
const MAX_KEYS = 128;

interface HandlingDeps {
  verifier: Pick<Verifier, 'callerOf'>;
  clock: Clock;
}

/** Runs commands according to their declared access and throttling. Throws failures. */
export function handling({ verifier, clock }: HandlingDeps) {
  const isThrottled = throttling(clock);

  return async (connection: Connection, { command, fields }: ReceivedCommand): Promise<Reply | undefined> => {
    const { access = 'verified' } = command;
    if (access !== 'anyone' && !connection.caller) throw authenticationRequired();
    if (isThrottled(connection, command, fields)) return undefined;
    const caller = access === 'verified' ? await verifier.callerOf(connection) : connection.caller;
    // The caller is undefined only for commands with the access `anyone`.
    const answer = await command.handle({ fields, caller: caller as UserCaller, connection });
    return answer === undefined || 'message' in answer ? answer : { message: answer };
  };
}

/** Returns whether a command follows the previous one of its connection with the same key too soon. */
function throttling(clock: Clock) {
  const timesOf = new WeakMap<Connection, Map<string, number>>();

  return (connection: Connection, { type, throttle }: Command, fields: object): boolean => {
    if (!throttle) return false;
    const nowMs = clock.now();
    const times = timesOf.get(connection) ?? new Map<string, number>();
    timesOf.set(connection, times);
    const key = `${type} ${throttle.keyOf(fields)}`;
    if (nowMs < (times.get(key) ?? 0)) return true;
    if (times.size >= MAX_KEYS) for (const [old, until] of times) if (until <= nowMs) times.delete(old);
    times.set(key, nowMs + throttle.everyMs);
    return false;
  };
}

/** Converts an error to the failure sent to the client: failures unchanged, others as an outage. */
export function failureOf(error: unknown, onFault: (error: unknown) => void): Failure {
  if (error instanceof Failure) return error;
  onFault(error);
  return serviceUnavailable(error);
}
