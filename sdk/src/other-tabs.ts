import type { Caller } from './caller.ts';
import { tell } from './host.ts';

/**
 * Tells the program and the live channel when another tab has signed out, or signed in somebody else, where the storage
 * has `subscribe`. `createClient` does this by itself.
 */
export function followStorage({ session, options }: Pick<Caller, 'session' | 'options'>): void {
  const { storage, read, write, listeners } = session;
  if (!storage.subscribe) return;
  /** The latest sign-in that the program has been told about. */
  let known: string | undefined;
  /** Counts the program's own changes, which need no notification. */
  let own = 0;

  session.write = (kept) => {
    own++;
    known = kept?.id;
    return write(kept);
  };
  listeners.add((reason) => {
    own++;
    // After a sign-in over a sign-in, the new one is known already.
    if (reason !== 'replaced') known = undefined;
  });

  async function compare(): Promise<void> {
    const before = own;
    const kept = await read();
    if (own !== before) return;
    const reason = kept ? 'replaced' : 'signed-out';
    if (known && known !== kept?.id) tell([...listeners, () => options.onSignedOut?.(reason)], reason);
    known = kept?.id;
  }
  const compareIfPossible = () => void compare().catch(() => undefined);
  storage.subscribe((key) => {
    if (key === 'tokens') compareIfPossible();
  });
  compareIfPossible();
}
