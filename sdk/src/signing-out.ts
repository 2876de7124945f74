import type { Caller } from './caller.ts';
import { signOut } from './generated/operations/sign-in.ts';

/** Signs this device out, and no other. Its tokens are forgotten even if the platform cannot be reached. */
export async function signOutHere({ session, call }: Pick<Caller, 'session' | 'call'>): Promise<void> {
  const kept = await session.read();
  try {
    if (kept) await call(signOut, { body: { platform: kept.platform, device: kept.device } as object });
  } finally {
    await session.end(undefined, 'signed-out');
  }
}
