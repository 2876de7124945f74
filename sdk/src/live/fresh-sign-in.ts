import { host } from '../host.ts';
import type { Session } from '../session.ts';
import type { SignedIn } from '../signed-in.ts';

const MIN_LIFE_MS = 60_000;

/**
 * Returns the current sign-in, with a token that is valid for at least another minute and is not the one that the
 * platform has `refused`: the key that signed it may have ended before it.
 */
export async function freshSignIn(
  session: Pick<Session, 'read' | 'renew'>,
  refused: string | undefined,
): Promise<SignedIn | undefined> {
  const kept = await session.read();
  const isYoung = kept && Date.now() < kept.receivedAt + lifeMsOf(kept.accessToken) - MIN_LIFE_MS;
  if (!kept || (isYoung && kept.accessToken !== refused)) return kept;
  await session.renew(kept.accessToken);
  return session.read();
}

/**
 * Returns for how long a token is valid, from the times inside it, so that a wrong clock of the device does not
 * matter.
 */
function lifeMsOf(token: string): number {
  try {
    const part = (token.split('.')[1] as string).replace(/-/g, '+').replace(/_/g, '/');
    const { exp, iat } = JSON.parse(host.atob?.(part) as string) as { exp: number; iat: number };
    return (exp - iat) * 1_000;
  } catch {
    return 15 * 60_000;
  }
}
