import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Audience, OptOut, TopicSubscription } from './contract.ts';
import type { AudienceRange } from './topics.model.ts';

/** A topic's subscribers, and members who subscribed to its kind in time and have not opted out of the topic. */
const AUDIENCE = `
  select user_id from notifications.topic_subscription where topic = $1 and user_id > $2 and user_id <= $3
  union
  select user_id from notifications.topic_subscription kind
  where topic = $4 and user_id > $2 and user_id <= $3 and created_at >= $5
    and not exists (
      select from notifications.topic_opt_out where topic = $1 and user_id = kind.user_id)`;

const audience = statement<{ userId: ObjectId }>(
  'notifications.audience',
  `select user_id as "userId" from (${AUDIENCE}) audience order by user_id`,
);
/** Selects every `$6`-th member of the audience, in id order. */
const boundaries = statement<{ userId: ObjectId }>(
  'notifications.audience-boundaries',
  `select user_id as "userId" from (
     select user_id, row_number() over (order by user_id) as place from (${AUDIENCE}) audience) numbered
   where place % $6 = 0 order by user_id`,
);
/** Which of the audiences a member belongs to; the keys of both tables serve it. */
const audiencesOf = statement<{ topic: string }>(
  'notifications.audiences-of',
  `select topic from unnest($2::text[], $3::text[], $4::timestamptz[]) as asked (topic, kind, since)
   where exists (
       select from notifications.topic_subscription own where own.topic = asked.topic and own.user_id = $1)
     or exists (
       select from notifications.topic_subscription whole
       where whole.topic = asked.kind and whole.user_id = $1 and whole.created_at >= asked.since)
     and not exists (
       select from notifications.topic_opt_out gone where gone.topic = asked.topic and gone.user_id = $1)`,
);
const subscribe = statement<never>(
  'notifications.subscribe',
  `with wanted as (
     delete from notifications.topic_opt_out
     where (topic, user_id) in (select * from unnest($1::text[], $2::text[])))
   insert into notifications.topic_subscription (topic, user_id, created_at)
   select distinct topic, user_id, $3::timestamptz from unnest($1::text[], $2::text[]) as asked (topic, user_id)
   order by topic, user_id
   on conflict (topic, user_id) do update set created_at = excluded.created_at
     where excluded.topic = any($4)`,
);
const unsubscribe = statement<never>(
  'notifications.unsubscribe',
  `delete from notifications.topic_subscription
   where (topic, user_id) in (select * from unnest($1::text[], $2::text[]))`,
);
const optOut = statement<never>(
  'notifications.opt-out',
  `insert into notifications.topic_opt_out as former (topic, user_id, created_at, is_own)
   select distinct topic, user_id, $3::timestamptz, $4::boolean
   from unnest($1::text[], $2::text[]) as asked (topic, user_id)
   order by topic, user_id
   on conflict (topic, user_id) do update set is_own = true where excluded.is_own and not former.is_own`,
);

const LAST = '~';
const NOBODY = '';
const NEVER = new Date(0);

const valuesOf = ({ topic, kind }: Audience, { after, upTo }: AudienceRange): unknown[] => [
  topic,
  after,
  upTo || LAST,
  kind?.topic ?? NOBODY,
  kind?.since ?? NEVER,
];

/** SQL of topics and their subscriptions. */
export function topicStore(database: Database) {
  return {
    /** Returns those of the topics to which a member is subscribed. */
    async of(userId: ObjectId, topics: readonly string[]): Promise<string[]> {
      const rows = await database.all<{ topic: string }>(
        'select topic from notifications.topic_subscription where user_id = $1 and topic = any($2) order by topic',
        [userId, topics],
      );
      return rows.map(({ topic }) => topic);
    },
    /** Subscribes; an existing subscription to a topic in `renewed` is dated to now. */
    async subscribe(
      queries: Queries,
      all: TopicSubscription[],
      at: Date,
      renewed: string[] = [],
    ): Promise<void> {
      await queries.execute(subscribe, [...columnsOf(all, 'topic', 'userId'), at, renewed]);
    },
    /**
     * Unsubscribes; with `optsOut`, also records opt-outs, which exclude these topics from subscriptions to their kind:
     * those of the members' `own`, or those of a `block`.
     */
    async unsubscribe(
      tx: Transaction,
      all: TopicSubscription[],
      { at, optsOut }: { at: Date; optsOut?: 'own' | 'block' },
    ): Promise<void> {
      const columns = columnsOf(all, 'topic', 'userId');
      await tx.execute(unsubscribe, columns);
      if (optsOut) await tx.execute(optOut, [...columns, at, optsOut === 'own']);
    },
    /** Returns the topics that a member has opted out of, or that a block excludes. */
    optOutsOf: (userId: ObjectId): Promise<OptOut[]> =>
      database.all<OptOut>('select topic, is_own from notifications.topic_opt_out where user_id = $1', [
        userId,
      ]),
    /** Returns the topics of those audiences to which a member belongs. */
    async audiencesOf(userId: ObjectId, audiences: Audience[]): Promise<Set<string>> {
      const rows = await database.all(audiencesOf, [
        userId,
        audiences.map(({ topic }) => topic),
        audiences.map(({ kind }) => kind?.topic ?? NOBODY),
        audiences.map(({ kind }) => kind?.since ?? NEVER),
      ]);
      return new Set(rows.map(({ topic }) => topic));
    },
    /** Splits an audience into stretches of `size` members. */
    async rangesOf(queries: Queries, whom: Audience, size: number): Promise<AudienceRange[]> {
      const ends = await queries.all(boundaries, [...valuesOf(whom, { after: '', upTo: '' }), size]);
      const cuts = ['', ...ends.map(({ userId }) => userId), ''];
      return cuts.slice(1).map((upTo, place) => ({ after: cuts[place] as string, upTo }));
    },
    async members(queries: Queries, whom: Audience, stretch: AudienceRange): Promise<ObjectId[]> {
      return (await queries.all(audience, valuesOf(whom, stretch))).map(({ userId }) => userId);
    },
  };
}

export type TopicStore = ReturnType<typeof topicStore>;
