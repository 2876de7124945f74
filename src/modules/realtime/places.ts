import type { Connection } from './connection.ts';

/** Maximum number of connections of one address that have not signed in. */
const MAX_WAITING_PER_ADDRESS = 200;
/** The part of the members' places that connections may have on top while they have not signed in. */
const WAITING_PART = 0.2;

/**
 * The places of a process. Members have all that are configured; connections that have not signed in have others, a
 * fifth as many, so that they take none from members. When these are full, for an address or for all, a new one takes
 * the place of the oldest, since clients sign in at once and attackers stay. One whose `auth` is being looked up waits
 * for nothing but us, and is not displaced.
 */
export function places(mostMembers: number) {
  const mostWaiting = Math.ceil(mostMembers * WAITING_PART);
  const members = new Set<Connection>();
  const waiting = new Set<Connection>();
  const byAddress = new Map<string, Set<Connection>>();

  function stopWaiting(connection: Connection): void {
    waiting.delete(connection);
    const same = byAddress.get(connection.address);
    same?.delete(connection);
    if (same?.size === 0) byAddress.delete(connection.address);
  }

  return {
    get waiting(): number {
      return waiting.size;
    },
    /** @param open all open connections, of which a few are being looked up or closed */
    isFull: (open: number): boolean => members.size >= mostMembers || open >= mostMembers + 2 * mostWaiting,
    /** Takes in a connection that has not signed in; returns the one that it displaces, which must be closed. */
    wait(connection: Connection): Connection | undefined {
      const same = byAddress.get(connection.address) ?? new Set();
      const [oldest] =
        same.size >= MAX_WAITING_PER_ADDRESS ? same : waiting.size >= mostWaiting ? waiting : [];
      if (oldest) stopWaiting(oldest);
      byAddress.set(connection.address, same.add(connection));
      waiting.add(connection);
      return oldest;
    },
    stopWaiting,
    /** Gives a connection that has signed in the place of a member; returns whether there is one. */
    join(connection: Connection): boolean {
      if (members.size >= mostMembers) return false;
      members.add(connection);
      return true;
    },
    /** Frees the place of a connection that has closed. */
    free(connection: Connection): void {
      stopWaiting(connection);
      members.delete(connection);
    },
  };
}

export type Places = ReturnType<typeof places>;
