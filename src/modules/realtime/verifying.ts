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
 * Looks up the owners of tokens. A reconnecting client sends `auth` and its subscriptions at once, so the session read
 * for one message is reused for messages that had arrived before that read began: for the client this is equivalent to
 * a lookup for each message. A notice of any changed session or permissions prevents the reuse, because the change may
 * have come after the read; a change whose notice has not arrived yet is reviewed when it does, as for every
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
    /** Records that the sessions or permissions of a member have changed. */
    noteChange(): void {
      changes++;
    },
  };
}

export type Verifier = ReturnType<typeof verifying>;
