import type { Caller } from './caller.ts';
import { tell } from './host.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * Tells the program and the live channel when another tab has signed out, or signed in somebody else. `createClient` does
 * this by itself.
 */
export function followStorage({ session, options }: Pick<Caller, 'session' | 'options'>): void {
  session.storage.subscribe?.(async (key, former) => {
    const kept = await session.read();
    if (key !== 'tokens' || !former || idOf(former) === kept?.id) return;
    const reason = kept ? 'replaced' : 'signed-out';
    tell([...session.listeners, () => options.onSignedOut?.(reason)], reason);
  });
}

function idOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as SignedIn).id;
  } catch {
    return undefined;
  }
}
