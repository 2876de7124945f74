import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import type { Reply } from '../../kernel/live/live-commands.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Connection } from './connection.ts';
import type { ReceivedCommand } from './protocol.ts';
import { throttling } from './throttling.ts';
import type { Verifier } from './verifying.ts';

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
    if (isThrottled(connection.caller?.userId, command, fields)) return undefined;
    const caller = access === 'verified' ? await verifier.callerOf(connection) : connection.caller;
    // The caller is undefined only for commands with the access `anyone`.
    const answer = await command.handle({ fields, caller: caller as UserCaller, connection });
    return answer === undefined || 'message' in answer ? answer : { message: answer };
  };
}

/** Converts an error to the failure sent to the client: failures unchanged, others as an outage. */
export function failureOf(error: unknown, onFault: (error: unknown) => void): Failure {
  if (error instanceof Failure) return error;
  onFault(error);
  return serviceUnavailable(error);
}
