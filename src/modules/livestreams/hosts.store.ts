import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

interface Right {
  hostId: ObjectId;
  /** Whether the host may hold livestreams. */
  teaches: boolean;
}

/** A live one without its host is ended: nobody but an administrator could end it. */
const setTeaching = statement<{ id: ObjectId; endsNow: boolean }>(
  'livestreams.set-teaching',
  `update livestreams.livestream set host_teaches = $2,
     updated_at = case when status = 'live' and not $2 then $3 else updated_at end,
     ended_at = case when status = 'live' and not $2 then $3 else ended_at end,
     status = case when status = 'live' and not $2 then 'ended' else status end
   where host_id = $1 and host_teaches <> $2
   returning id, status = 'ended' and ended_at = $3 as "endsNow"`,
);

/** SQL of the hosts of livestreams; served by livestream_by_host. */
export function hostStore(database: Database) {
  return {
    /** Records whether a host may hold livestreams; ends the live ones of one who may not, and returns these. */
    async setTeaching(tx: Transaction, { hostId, teaches }: Right, at: Date): Promise<ObjectId[]> {
      const changed = await tx.all(setTeaching, [hostId, teaches, at]);
      return changed.filter(({ endsNow }) => endsNow).map(({ id }) => id);
    },
    /** Ends the host's live streams, which it returns, and cancels the scheduled ones. */
    async closeOf(tx: Transaction, hostId: ObjectId, at: Date): Promise<ObjectId[]> {
      const closed = await tx.all<{ id: ObjectId; status: string }>(
        `update livestreams.livestream set updated_at = $2,
           ended_at = case status when 'live' then $2 else ended_at end,
           status = case status when 'live' then 'ended' else 'cancelled' end
         where host_id = $1 and status in ('live', 'scheduled') returning id, status`,
        [hostId, at],
      );
      return closed.filter(({ status }) => status === 'ended').map(({ id }) => id);
    },
    /** Returns hosts in id order. */
    async hostsAfter(hostId: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ hostId: ObjectId }>(
        'select distinct host_id from livestreams.livestream where host_id > $1 order by host_id limit $2',
        [hostId, limit],
      );
      return rows.map((row) => row.hostId);
    },
    /** Returns the hosts with a livestream whose recorded right differs. */
    async findDiffering(rights: Right[]): Promise<ObjectId[]> {
      const rows = await database.all<{ hostId: ObjectId }>(
        `select host_id from unnest($1::text[], $2::boolean[]) as known (host_id, teaches)
         where exists (select from livestreams.livestream l
           where l.host_id = known.host_id and l.host_teaches <> known.teaches)`,
        columnsOf(rights, 'hostId', 'teaches'),
      );
      return rows.map((row) => row.hostId);
    },
  };
}

export type HostStore = ReturnType<typeof hostStore>;
