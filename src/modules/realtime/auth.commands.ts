import { Type } from 'typebox';
import { Failure, insufficientPermissions, serviceUnavailable } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { Command } from '../../kernel/live/live-commands.ts';
import { AUTH_MS, PING_MS, SILENCE_MS } from '../../kernel/live/live-limits.ts';
import {
  accountInactive,
  authenticationRequired,
  expiredToken,
  invalidToken,
} from '../../kernel/operations/access.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Authenticated, Identity } from '../identity/contract.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection } from './connection.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { MemberConnections } from './members.ts';
import { ownCommand } from './own-command.ts';
import { authenticated, authenticationFailed, pong } from './realtime.live.ts';
import { releaseTogether } from './release-together.ts';
import type { Verifier } from './verifying.ts';

interface AuthDeps {
  identity: Pick<Identity, 'checkToken'>;
  verifier: Pick<Verifier, 'authenticate'>;
  channels: Channels;
  members: MemberConnections;
  places: ConnectionSlots;
  clock: Clock;
}

/**
 * After a restart or an outage thousands of clients sign in within seconds. A sign-in that follows another within this
 * time waits, so that several share a batch.
 */
const SIGN_IN_STEP_MS = 15;

/** Authentication and keep-alive of connections. */
export const authCommands = ({
  identity,
  verifier,
  channels,
  members,
  places,
  clock,
}: AuthDeps): Command[] => {
  const together = releaseTogether(SIGN_IN_STEP_MS);

  /** Looks up the owner of a token; meanwhile newer connections do not displace this one. */
  async function lookUp(connection: Connection, token: string): Promise<Authenticated> {
    places.stopWaiting(connection);
    try {
      // Before they wait for each other: signatures by older keys are verified on other threads, which would part them again.
      await identity.checkToken(token);
      await together();
      return await verifier.authenticate(connection, token);
    } catch (error) {
      // After an outage, unlike after a rejection, the client may try again.
      const mayTryAgain = !(error instanceof Failure) || error.status >= 500;
      if (mayTryAgain && connection.isOpen && !connection.caller) places.wait(connection)?.close(CLOSES.full);
      throw error;
    }
  }

  return [
    ownCommand({
      type: 'auth',
      summary: `Authenticates the connection; required within ${AUTH_MS / SECOND_MS} seconds of connecting. Send it again with a newer token of the same member before the token expires.`,
      fields: Type.Object({
        token: Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'The `accessToken` returned by a sign-in',
          examples: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI2NzQwZjFjMmE5YjNlNGQ1ZjZhN2I4YzkifQ.c2ln'],
        }),
      }),
      access: 'anyone',
      failures: [
        invalidToken,
        expiredToken,
        accountInactive,
        authenticationRequired,
        insufficientPermissions,
      ],
      answer: authenticated,
      refusal: authenticationFailed,
      async handle({ fields: { token }, connection }) {
        const authentication = await lookUp(connection, token);
        const { caller, expiresAt } = authentication;
        if (connection.caller && connection.caller.userId !== caller.userId) {
          connection.close(CLOSES.otherUser);
          throw insufficientPermissions();
        }
        // The connection may have closed during the authentication.
        if (!connection.isOpen) throw authenticationRequired();
        const isFirst = !connection.caller;
        if (isFirst && !places.join(connection)) {
          connection.close(CLOSES.full);
          throw serviceUnavailable();
        }
        connection.signIn(authentication, token);
        if (isFirst) {
          for (const surplus of members.add(connection, caller.userId)) surplus.close(CLOSES.replaced);
          await channels.join(connection, liveChannel.all);
        }
        return authenticated({ userId: caller.userId, sessionId: caller.sessionId, expiresAt });
      },
    }),
    ownCommand({
      type: 'ping',
      summary: `Keeps the connection open. Send it every ${PING_MS / SECOND_MS} seconds; connections that are silent for ${SILENCE_MS / SECOND_MS} seconds are closed.`,
      fields: Type.Object({}),
      access: 'anyone',
      answer: pong,
      handle: async () => pong({ timestamp: clock.date() }),
    }),
  ];
};
