import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';

/** An event as its member sees it. */
export interface OwnEvent {
  id: ObjectId;
  userId: ObjectId;
  eventName: string;
  eventType: string;
  metadata: Record<string, unknown>;
  timestamp: Date;
}

interface OwnFilter {
  eventType?: string;
  from?: Date;
  to?: Date;
}

interface OwnCounts {
  total: number;
  week: number;
  month: number;
}

/** Client events of one member; served by event_by_person. */
const OF_MEMBER = `analytics.event e join analytics.name n on n.no = e.name and n.source = 'client'
  where e.person = (select no from analytics.person where user_id = $1)`;

/** SQL of members' views of their own events. */
export function ownStore(database: Database) {
  return {
    /** Newest first. */
    pageOf: (
      userId: ObjectId,
      { eventType, from, to }: OwnFilter,
      request: PageRequest,
    ): Promise<Page<OwnEvent>> =>
      readPage(
        database,
        {
          columns: `e.id, $1 as "userId", n.name as "eventName", n.type as "eventType", e.metadata,
            e.occurred_at as timestamp`,
          from: `${OF_MEMBER} and ($2::text is null or n.type = $2)
            and e.occurred_at >= coalesce($3, '-infinity'::timestamptz)
            and e.occurred_at <= coalesce($4, 'infinity'::timestamptz)`,
          orderBy: 'e.occurred_at desc, e.id desc',
        },
        [userId, eventType ?? null, from ?? null, to ?? null],
        request,
      ),

    /**
     * Counts a member's events by day and name.
     * @param starts when each day begins, in order; the last one has no end
     * @returns `day` is the place of the day among them
     */
    byDay: (userId: ObjectId, starts: Date[]): Promise<{ day: number; eventName: string; count: number }[]> =>
      database.all(
        `select width_bucket(e.occurred_at, $2::timestamptz[]) - 1 as day, n.name as "eventName", count(*) as count
         from ${OF_MEMBER} and e.occurred_at >= ($2::timestamptz[])[1] group by 1, 2 order by 1, 2`,
        [userId, starts],
      ),

    /** Counts a member's events: in total, and since each of two instants. */
    async counts(userId: ObjectId, weekSince: Date, monthSince: Date): Promise<OwnCounts> {
      const counted = await database.first<OwnCounts>(
        `select count(*) + (select coalesce(sum(p.events), 0)::bigint from analytics.past p
             join analytics.name n on n.no = p.name and n.source = 'client'
             where p.person = (select no from analytics.person where user_id = $1)) as total,
           count(*) filter (where e.occurred_at >= $2) as week,
           count(*) filter (where e.occurred_at >= $3) as month
         from ${OF_MEMBER}`,
        [userId, weekSince, monthSince],
      );
      return counted ?? { total: 0, week: 0, month: 0 };
    },

    /** Returns a member's most frequent events. */
    mostCommon: (userId: ObjectId, limit: number): Promise<{ eventName: string; count: number }[]> =>
      database.all(
        `select name as "eventName", sum(events)::bigint as count from (
           select n.name, count(*) as events from ${OF_MEMBER} group by 1
           union all
           select n.name, p.events from analytics.past p join analytics.name n on n.no = p.name and n.source = 'client'
           where p.person = (select no from analytics.person where user_id = $1)) counted
         group by name order by count desc, name limit $2`,
        [userId, limit],
      ),
  };
}

export type OwnStore = ReturnType<typeof ownStore>;
