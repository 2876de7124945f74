import type { ObjectId } from '../../kernel/ids.ts';
import type { Connection } from './connection.ts';

/** The connections of this process, by signed-in member. */
export function memberConnections(maxPerMember: number) {
  const all = new Map<ObjectId, Set<Connection>>();

  function remove(connection: Connection): void {
    const userId = connection.caller?.userId;
    const own = userId === undefined ? undefined : all.get(userId);
    if (userId === undefined || !own?.delete(connection)) return;
    if (own.size === 0) all.delete(userId);
  }

  return {
    /** Adds a newly signed-in connection; returns the member's oldest surplus connections, which must be closed. */
    add(connection: Connection, userId: ObjectId): Connection[] {
      const own = all.get(userId) ?? new Set();
      all.set(userId, own.add(connection));
      const surplus = own.size > maxPerMember ? [...own].slice(0, own.size - maxPerMember) : [];
      for (const one of surplus) own.delete(one);
      return surplus;
    },
    remove,
    of: (userId: ObjectId): Connection[] => [...(all.get(userId) ?? [])],
  };
}

export type MemberConnections = ReturnType<typeof memberConnections>;
