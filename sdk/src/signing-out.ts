import type { Caller } from './caller.ts';
import { endSession, listSessions, signOut } from './generated/operations/sign-in.ts';
import type { SignedIn } from './signed-in.ts';

/** Signs out this device only. Its tokens are deleted even if the platform cannot be reached. */
export async function signOutHere({ session, call }: Pick<Caller, 'session' | 'call'>): Promise<void> {
  const kept = await session.read();
  try {
    if (kept) await endSessionOf(kept, call);
  } finally {
    await session.end(undefined, 'signed-out');
  }
}

/** Tokens that were not obtained by signing in here, such as those of single sign-on, do not name their device. */
async function endSessionOf({ platform, device }: SignedIn, call: Caller['call']): Promise<void> {
  // Without a device, all sessions of the platform would end, and without a platform those of all devices.
  if (platform && device) await call(signOut, { body: { platform: platform as 'web', device } });
  else
    for await (const { id, isCurrent } of call(listSessions, { query: { limit: 100 } }))
      if (isCurrent) return void (await call(endSession, { params: { sessionId: id } }));
}
