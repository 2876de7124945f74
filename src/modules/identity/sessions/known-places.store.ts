import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

/** A device name, or an address range, of a member. */
export interface KnownPlace {
  kind: 'device' | 'range';
  name: string;
}

const note = statement<KnownPlace>(
  'identity.note-places',
  `with noted as (
     insert into identity.known_place (user_id, kind, name, seen_at)
     select $1, place.kind, place.name, $4 from unnest($2::text[], $3::text[]) as place (kind, name)
     on conflict (user_id, kind, name) do update set seen_at = excluded.seen_at
     where known_place.seen_at < excluded.seen_at - $5 * interval '1 millisecond'
     returning kind, name, xmax = 0 as is_new)
   select kind, name from noted where is_new`,
);

/** SQL of the places that members sign in from. The member must be locked. */
export const knownPlaceStore = {
  /** Records that the member has signed in from these places, and returns those that are new. */
  note: (tx: Transaction, userId: ObjectId, places: KnownPlace[], at: Date): Promise<KnownPlace[]> =>
    tx.all(note, [userId, places.map(({ kind }) => kind), places.map(({ name }) => name), at, DAY_MS]),
  count: (tx: Transaction, userId: ObjectId): Promise<number> =>
    tx.count('select count(*) from identity.known_place where user_id = $1', [userId]),
  async forget(tx: Transaction, userId: ObjectId, places: KnownPlace[]): Promise<void> {
    await tx.execute(
      `delete from identity.known_place
       where user_id = $1 and (kind, name) in (select * from unnest($2::text[], $3::text[]))`,
      [userId, places.map(({ kind }) => kind), places.map(({ name }) => name)],
    );
  },
  /** Deletes all but the most recent places. */
  async keepNewest(tx: Transaction, userId: ObjectId, most: number): Promise<void> {
    await tx.execute(
      `delete from identity.known_place where user_id = $1 and (kind, name) in (
         select kind, name from identity.known_place where user_id = $1 order by seen_at desc, kind, name offset $2)`,
      [userId, most],
    );
  },
  /** Returns the places of the member's latest sessions, except one session. */
  ofSessions: (
    tx: Transaction,
    userId: ObjectId,
    { except, limit }: { except: ObjectId; limit: number },
  ): Promise<{ device: string; address: string }[]> =>
    tx.all<{ device: string; address: string }>(
      `select device, address from identity.session where user_id = $1 and id <> $2 order by id desc limit $3`,
      [userId, except, limit],
    ),
};
