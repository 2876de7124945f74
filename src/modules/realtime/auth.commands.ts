import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live.ts';
import type { Command } from '../../kernel/live-commands.ts';
import { authenticationRequired, expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import { inStep } from './in-step.ts';
import type { MemberConnections } from './members.ts';
import { ownCommand } from './own-command.ts';
import { authenticated, authenticationFailed, pong } from './realtime.live.ts';
import type { Verifier } from './verifying.ts';

interface AuthDeps {
  verifier: Pick<Verifier, 'authenticate'>;
  channels: Channels;
  members: MemberConnections;
  clock: Clock;
}

/** After a restart or an outage thousands sign in within seconds; each waits this long for others, if others came just before. */
const SIGN_IN_STEP_MS = 5;

/** Authentication and keep-alive of connections. */
export const authCommands = ({ verifier, channels, members, clock }: AuthDeps): Command[] => {
  const together = inStep(SIGN_IN_STEP_MS);
  return [
    ownCommand({
      type: 'auth',
      summary:
        'Authenticates the connection; required within 10 seconds of connecting. Send it again with a newer token of the same member before the token expires.',
      fields: Type.Object({
        token: Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'The `accessToken` returned by a sign-in',
          examples: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI2NzQwZjFjMmE5YjNlNGQ1ZjZhN2I4YzkifQ.c2ln'],
        }),
      }),
      access: 'anyone',
      failures: [invalidToken, expiredToken, authenticationRequired, insufficientPermissions],
      answer: authenticated,
      refusal: authenticationFailed,
      async handle({ fields: { token }, connection }) {
        await together();
        const { caller, expiresAt } = await verifier.authenticate(connection, token);
        if (connection.caller && connection.caller.userId !== caller.userId) {
          connection.close(CLOSES.otherUser);
          throw insufficientPermissions();
        }
        // The connection may have closed during the authentication.
        if (!connection.isOpen) throw authenticationRequired();
        const isFirst = !connection.caller;
        connection.signIn(caller, token, expiresAt);
        if (isFirst) {
          connection.onSignedIn();
          for (const surplus of members.add(connection, caller.userId)) surplus.close(CLOSES.replaced);
          await channels.join(connection, liveChannel.all);
        }
        return authenticated({ userId: caller.userId, sessionId: caller.sessionId, expiresAt });
      },
    }),
    ownCommand({
      type: 'ping',
      summary:
        'Keeps the connection open. Send it every 30 seconds; connections that are silent for 60 seconds are closed.',
      fields: Type.Object({}),
      access: 'anyone',
      answer: pong,
      handle: async () => pong({ timestamp: clock.date() }),
    }),
  ];
};
