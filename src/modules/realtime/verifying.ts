import type { Bus } from '../../kernel/distributed/bus.ts';
import { authenticationRequired } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Authenticated, Identity } from '../identity/contract.ts';
import type { Connection } from './connection.ts';

interface VerifyingDeps {
  identity: Pick<Identity, 'authenticateUntil'>;
  bus: Pick<Bus, 'isConnected'>;
}

/**
 * Looks up the owners of tokens. A client that reconnects sends `auth` and its subscriptions at once, so the session
 * read for one message also covers those that had arrived before that read began: to the client it is the same as a
 * look-up of each message's own. A notice that any member's sessions or permissions have changed ends that, because the
 * change may have come after the read; a change without a notice yet is reviewed when its notice comes, as for every
 * connection.
 */
export function verifying({ identity, bus }: VerifyingDeps) {
  let changes = 0;

  /** @throws the failures of `authenticateUntil` */
  async function authenticate(connection: Connection, token: string): Promise<Authenticated> {
    const changesBefore = changes;
    const authenticated = await identity.authenticateUntil(token);
    connection.verification = { token, asOfMs: authenticated.asOfMs, changes: changesBefore };
    return authenticated;
  }

  function isCovered({ verification, token, arrivedAtMs }: Connection): boolean {
    if (!verification || verification.token !== token) return false;
    return arrivedAtMs < verification.asOfMs && verification.changes === changes && bus.isConnected();
  }

  return {
    authenticate,
    /**
     * Returns the current owner of the connection's token. @throws the failures of `authenticateUntil`, and
     * authenticationRequired
     */
    async callerOf(connection: Connection): Promise<UserCaller> {
      const { caller, token } = connection;
      if (!caller) throw authenticationRequired();
      return isCovered(connection) ? caller : (await authenticate(connection, token)).caller;
    },
    /** Takes note that the sessions or permissions of a member have changed. */
    noteChange(): void {
      changes++;
    },
  };
}

export type Verifier = ReturnType<typeof verifying>;
