import { PlatformError } from './errors.ts';
import { randomId, tell } from './host.ts';
import type { Answer, Request } from './operation.ts';
import type { Keeper, Tokens } from './signed-in.ts';
import type { Storage } from './storage.ts';

type Send = (request: Request) => Promise<Answer>;

/**
 * Stores the tokens that an operation returns; those for another platform, by single sign-on from this one, are left to
 * that platform.
 */
export async function keepingTokens(request: Request, session: Keeper, send: Send): Promise<Answer> {
  const answer = await send(request);
  const { accessToken, refreshToken, redirectUrl } = (answer.data ?? {}) as Tokens & { redirectUrl?: string };
  if (!accessToken || !refreshToken)
    throw new PlatformError({
      message: 'The response has no tokens',
      kind: 'unreadable',
      code: 'UNREADABLE_ANSWER',
      status: answer.status,
    });
  const former = await session.read();
  const given = (request.query ?? request.body) as Given;
  const isSingleSignOn = given.refreshToken && given.platform;
  if (redirectUrl || (isSingleSignOn && former && former.platform !== given.platform)) return answer;
  // A program may call the refresh operation itself: the sign-in stays the same.
  const isSame = former !== undefined && former.refreshToken === given.refreshToken && !given.platform;
  const { id, platform, device } = isSame ? former : { ...given, id: randomId() };
  await session.write({ id, accessToken, refreshToken, receivedAt: Date.now(), platform, device });
  // The program requested this sign-in, so it needs no notification.
  if (former && !isSame) tell([...session.listeners], 'replaced');
  return answer;
}

/** Adds the device to a sign-in that does not name one, and stores the tokens. */
export async function signingIn(request: Request, session: Keeper, send: Send): Promise<Answer> {
  const device = await deviceId(session.storage);
  const named = request.query
    ? { ...request, query: { device, ...request.query } }
    : { ...request, body: { device, ...(request.body as object) } };
  return keepingTokens(named, session, send);
}

/** The inputs of an operation that returns tokens. */
interface Given {
  platform?: string;
  device?: string;
  refreshToken?: string;
}

/** Returns the id of this device, which is created once and stored. */
async function deviceId(storage: Storage): Promise<string> {
  const known = await storage.get('device');
  const id = known || randomId();
  if (!known) await storage.set('device', id);
  return id;
}
