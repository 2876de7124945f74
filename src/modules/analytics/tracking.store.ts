import { columnsOf } from '../../kernel/database/chunks.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** An event to be inserted. */
export interface NewEvent {
  id: ObjectId;
  userId: ObjectId;
  /** The number in the dictionary of the name under which the event is counted. */
  name: number;
  /** The name and type that the client sent, if the event is counted under another name. */
  ownName: string | null;
  ownType: string | null;
  eventId: string | null;
  at: Date;
  /** JSON. */
  metadata: string;
}

/** A fact to be inserted. */
export interface NewFact {
  id: ObjectId;
  userId: ObjectId;
  name: string;
  type: string;
  cents: number;
  at: Date;
  /** JSON. */
  metadata: string;
}

/** Numbers new members; existing ones are filtered out first, since a conflict would use up a number. */
const numberPeople = statement<never>(
  'analytics.number-people',
  `insert into analytics.person (user_id)
   select distinct user_id from unnest($1::text[]) as asked (user_id)
   where not exists (select from analytics.person known where known.user_id = asked.user_id)
   order by user_id on conflict do nothing`,
);

const SLOT = `date_bin('15 minutes', at, 'epoch')`;

/**
 * Stores events and their aggregates: `$9` is now, `$10` the age beyond which an event id may be reused. An event may
 * change the visits of its own quarter of an hour and of the half hour after it.
 */
const storeEvents = statement<{ id: ObjectId }>(
  'analytics.store-named-events',
  `with sent as (
     select p.no as person, s.* from unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::uuid[],
       $7::timestamptz[], $8::jsonb[])
       with ordinality as s (user_id, id, name, own_name, own_type, event_id, at, metadata, place)
     join analytics.person p using (user_id)),
   fresh as (
     insert into analytics.seen as known (person, event_id, received_at)
     select distinct person, event_id, $9::timestamptz from sent where event_id is not null order by 1, 2
     on conflict (person, event_id) do update set received_at = excluded.received_at
       where known.received_at <= $10::timestamptz
     returning person, event_id),
   kept as (
     select distinct on (person, coalesce(event_id::text, id)) * from sent s
     where event_id is null
       or exists (select from fresh f where (f.person, f.event_id) = (s.person, s.event_id))
     order by person, coalesce(event_id::text, id), place),
   stored as (
     insert into analytics.event (occurred_at, received_at, person, name, own_name, own_type, id, metadata)
     select at, $9::timestamptz, person, name, own_name, own_type, id, metadata from kept),
   own as (
     select person, ${SLOT} as slot, name, coalesce(own_name, '') as own_name, coalesce(own_type, '') as own_type,
       count(*) as events
     from kept group by 1, 2, 3, 4, 5),
   -- The order prevents deadlocks between batches.
   of_days as (
     insert into analytics.own_day as known (person, day, name, own_name, own_type, events)
     select person, slot::date, name, own_name, own_type, sum(events)::bigint from own group by 1, 2, 3, 4, 5
     order by 1, 2, 3, 4, 5
     on conflict (person, day, name, own_name, own_type) do update set events = known.events + excluded.events),
   of_slots as (
     insert into analytics.own_slot as known (person, slot, name, own_name, own_type, events)
     select * from own order by 1, 2, 3, 4, 5
     on conflict (person, slot, name, own_name, own_type) do update set events = known.events + excluded.events),
   counted as (
     insert into analytics.delta (start, name, n, cents)
     select ${SLOT}, name, count(*), 0 from kept group by 1, 2),
   arrived as (
     insert into analytics.arrival (name, slot, person) select distinct name, ${SLOT}, person from kept),
   touched as (
     insert into analytics.dirty (slot)
     select distinct ${SLOT} + later from kept
     cross join (values (interval '0'), ('15 minutes'), ('30 minutes')) as l (later))
   select id from kept`,
);

/**
 * Numbers new members and names, and stores facts. A number that another transaction has just given is not visible to
 * the statement, but returned by its own insert.
 */
const storeFacts = statement<never>(
  'analytics.store-facts',
  `with asked as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::jsonb[])
       as f (id, user_id, name, type, cents, at, metadata)),
   new_people as (
     insert into analytics.person (user_id)
     select distinct user_id from asked
     where not exists (select from analytics.person known where known.user_id = asked.user_id)
     order by user_id on conflict (user_id) do update set user_id = excluded.user_id
     returning no, user_id),
   -- Counts the members, so that all of them come before the names; in another order, batches could deadlock.
   new_names as (
     insert into analytics.name (source, name, type)
     select distinct 'platform', name, type from asked
     where (select count(*) from new_people) >= 0 and not exists (select from analytics.name known
       where (known.source, known.name, known.type) = ('platform', asked.name, asked.type))
     order by 2, 3 on conflict (source, name, type) do update set type = excluded.type
     returning no, name, type),
   told as (
     select coalesce(p.no, new_p.no) as person, coalesce(n.no, new_n.no) as no, asked.*
     from asked
     left join analytics.person p using (user_id)
     left join new_people new_p using (user_id)
     left join analytics.name n on (n.source, n.name, n.type) = ('platform', asked.name, asked.type)
     left join new_names new_n on (new_n.name, new_n.type) = (asked.name, asked.type)),
   stored as (
     insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
     select at, at, person, no, id, metadata from told),
   arrived as (
     insert into analytics.arrival (name, slot, person) select distinct no, ${SLOT}, person from told)
   insert into analytics.delta (start, name, n, cents)
   select ${SLOT}, no, count(*), sum(cents) from told group by 1, 2`,
);

/** SQL that records events and facts. */
export const trackingStore = {
  /** Stores client events; returns the ids of those that are new. */
  async store(tx: Transaction, events: NewEvent[], now: Date, seenSince: Date) {
    tx.send(numberPeople, [events.map(({ userId }) => userId)]);
    const columns = columnsOf(
      events,
      'userId',
      'id',
      'name',
      'ownName',
      'ownType',
      'eventId',
      'at',
      'metadata',
    );
    const kept = await tx.all(storeEvents, [...columns, now, seenSince]);
    return new Set(kept.map(({ id }) => id));
  },
  /** Stores facts without waiting for the result; the commit waits for it. */
  record(tx: Transaction, facts: NewFact[]): void {
    tx.send(storeFacts, columnsOf(facts, 'id', 'userId', 'name', 'type', 'cents', 'at', 'metadata'));
  },
};
