import type { Caller } from './caller.ts';
import { endSession, listSessions, signOut } from './generated/operations/sign-in.ts';
import type { SignedIn } from './signed-in.ts';

/** Signs this device out, and no other. Its tokens are forgotten even if the platform cannot be reached. */
export async function signOutHere({ session, call }: Pick<Caller, 'session' | 'call'>): Promise<void> {
  const kept = await session.read();
  try {
    if (kept) await endSessionOf(kept, call);
  } finally {
    await session.end(undefined, 'signed-out');
  }
}

/** Tokens that came by another way than a sign-in, such as single sign-on, do not say which device they are for. */
async function endSessionOf({ platform, device }: SignedIn, call: Caller['call']): Promise<void> {
  // Without the device it would end all sessions of the platform, and without both those of all devices.
  if (platform && device) await call(signOut, { body: { platform: platform as 'web', device } });
  else
    for await (const { id, isCurrent } of call(listSessions, { query: { limit: 100 } }))
      if (isCurrent) return void (await call(endSession, { params: { sessionId: id } }));
}
