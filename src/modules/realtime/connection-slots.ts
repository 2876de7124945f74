import type { Connection } from './connection.ts';

/** Maximum number of connections of one address that have not signed in. */
const MAX_WAITING_PER_ADDRESS = 200;
/** Additional capacity for connections that have not signed in, as a fraction of the members' capacity. */
const WAITING_PART = 0.2;

/**
 * The connection slots of a process. Members may use the configured number; connections that have not signed in use
 * separate slots, a fifth as many, so that they take none from members. When those are full, in total or for an
 * address, a new connection displaces the oldest one, because clients sign in at once and attackers do not. A
 * connection whose `auth` is being processed is not displaced, because it waits only for the server.
 */
export function connectionSlots(maxMembers: number) {
  const maxWaiting = Math.ceil(maxMembers * WAITING_PART);
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
    /** @param open number of all open connections, including the few that are being authenticated or closed */
    isFull: (open: number): boolean => members.size >= maxMembers || open >= maxMembers + 2 * maxWaiting,
    /** Adds a connection that has not signed in; returns the one that it displaces, which must be closed. */
    wait(connection: Connection): Connection | undefined {
      const same = byAddress.get(connection.address) ?? new Set();
      const [oldest] =
        same.size >= MAX_WAITING_PER_ADDRESS ? same : waiting.size >= maxWaiting ? waiting : [];
      if (oldest) stopWaiting(oldest);
      byAddress.set(connection.address, same.add(connection));
      waiting.add(connection);
      return oldest;
    },
    stopWaiting,
    /** Gives a signed-in connection a member's slot; returns false if none is free. */
    join(connection: Connection): boolean {
      if (members.size >= maxMembers) return false;
      members.add(connection);
      return true;
    },
    /** Frees the slot of a closed connection. */
    free(connection: Connection): void {
      stopWaiting(connection);
      members.delete(connection);
    },
  };
}

export type ConnectionSlots = ReturnType<typeof connectionSlots>;
