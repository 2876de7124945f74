import type { Database } from '../../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  offsetOf,
  type Page,
  type PageRequest,
} from '../../../kernel/database/pagination.ts';
import { searchedId, searchPatterns } from '../../../kernel/database/searchable.ts';
import { highestIdAt, lowestIdAt, type ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import type { User } from './users.model.ts';

/** A purchase that gives access: one of these SKUs, bought between its own instant and the common end. */
interface OpeningPurchases {
  skus: string[];
  since: Date[];
  until: Date;
}

/** The purchases whose access has not ended: bought since the start of their SKU, or of all others, and until the end. */
interface CurrentPurchases {
  since: Record<string, Date>;
  othersSince: Date;
  until: Date;
}

export interface ListingFilter {
  /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters; or a complete id. */
  search?: string | undefined;
  /** Users who hold at least one of these. */
  permissions?: string[] | undefined;
  isActive?: boolean | undefined;
  /** True for users whose e-mail address is not verified, false for the others. */
  unverified?: boolean | undefined;
  /** Users who have bought this SKU at any time. */
  sku?: string | undefined;
  /** Users with one of these purchases. */
  openedBy?: OpeningPurchases | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** Users without a session that was used since then. */
  seenBefore?: Date | undefined;
  sort?: 'newest' | 'oldest' | undefined;
  /** The purchases that rows name. */
  current: CurrentPurchases;
}

/** A user with the additional columns of administrators' lists. */
export interface ListedUser extends User {
  lastSeenAt: Date | null;
  skus: string[];
}

/** Returns the columns of a row; the parameters of current purchases stand after so many others. */
const columnsAfter = (
  count: number,
): string => `u.id, u.email, u.email_verified, u.username, u.first_name, u.last_name,
  u.customer_id, u.permissions, u.educator, u.is_active, u.time_zone, u.locale, u.created_at, u.updated_at,
  (select max(s.last_used_at) from identity.session s where s.user_id = u.id) as last_seen_at,
  array(select distinct p.sku from identity.purchase p where p.user_id = u.id
    and p.last_purchased_date >= coalesce(($${count + 1}::jsonb ->> p.sku)::timestamptz, $${count + 2}::timestamptz)
    and p.last_purchased_date <= $${count + 3}::timestamptz
    order by p.sku limit 20) as skus`;

/**
 * Returns the tables and conditions of a filter, their parameters from `$1` on, and the id column to order by:
 * lists of users not seen for long read the small table of last days.
 */
function matching(filter: ListingFilter): { from: string; id: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions = ['u.deleted_at is null'];
  const add = (condition: (value: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const { search, permissions, isActive, unverified, sku, openedBy, createdFrom, createdTo, seenBefore } =
    filter;
  if (search !== undefined) {
    const id = searchedId(search);
    if (id !== undefined) add((one) => `u.id = ${one}`, id);
    else add((patterns) => `u.searchable like any(${patterns}::text[])`, searchPatterns(search));
  }
  if (permissions) add((list) => `u.permissions && ${list}::text[]`, permissions);
  if (isActive !== undefined) conditions.push(isActive ? 'u.is_active' : 'not u.is_active');
  if (unverified !== undefined) conditions.push(unverified ? 'not u.email_verified' : 'u.email_verified');
  if (sku !== undefined)
    add((one) => `u.id in (select p.user_id from identity.purchase p where p.sku = ${one})`, sku);
  if (openedBy) {
    values.push(openedBy.skus, openedBy.since, openedBy.until);
    conditions.push(`exists (select from identity.purchase p
      join unnest($${values.length - 2}::text[], $${values.length - 1}::timestamptz[]) as o (sku, since) on o.sku = p.sku
      where p.user_id = u.id and p.last_purchased_date between o.since and $${values.length}::timestamptz)`);
  }
  // Ids begin with the second of their creation, so a period is a range of the primary key.
  if (createdFrom) {
    add((id) => `u.id >= ${id}`, lowestIdAt(createdFrom));
    add((at) => `u.created_at >= ${at}`, createdFrom);
  }
  if (createdTo) {
    add((id) => `u.id <= ${id}`, highestIdAt(createdTo));
    add((at) => `u.created_at <= ${at}`, createdTo);
  }
  if (seenBefore) {
    add((day) => `l.day <= ${day}::date`, new Date(seenBefore.getTime() - 1).toISOString().slice(0, 10));
    // On the day itself the sessions decide; an instant at midnight has no such day.
    if (seenBefore.getTime() % DAY_MS !== 0)
      add(
        (at) => `(l.day < (${at} at time zone 'UTC')::date
          or not exists (select from identity.session s where s.user_id = u.id and s.last_used_at >= ${at}))`,
        seenBefore,
      );
  }
  const tables = seenBefore
    ? 'identity.last_seen l join identity.user u on u.id = l.user_id'
    : 'identity.user u';
  return {
    from: `${tables} where ${conditions.join(' and ')}`,
    id: seenBefore ? 'l.user_id' : 'u.id',
    values,
  };
}

/** Users as administrators list them: by id, which is the order of creation. */
export function userListingStore(database: Database) {
  async function read(
    filter: ListingFilter,
    { after, limit, offset = 0 }: { after?: ObjectId | undefined; limit: number; offset?: number },
  ): Promise<ListedUser[]> {
    const { from, id, values } = matching(filter);
    const isOldestFirst = filter.sort === 'oldest';
    const { since, othersSince, until } = filter.current;
    const place = after === undefined ? '' : `and ${id} ${isOldestFirst ? '>' : '<'} $${values.length + 4}`;
    return database.all<ListedUser>(
      `select ${columnsAfter(values.length)} from ${from} ${place}
       order by ${id} ${isOldestFirst ? '' : 'desc'} limit ${limit} offset ${offset}`,
      [...values, JSON.stringify(since), othersSince, until, ...(after === undefined ? [] : [after])],
    );
  }
  return {
    /** Returns users after one of them, or from the first on. */
    readAfter: (filter: ListingFilter, after: ObjectId | undefined, limit: number): Promise<ListedUser[]> =>
      read(filter, { after, limit }),
    async pageOf(filter: ListingFilter, request: PageRequest): Promise<Page<ListedUser>> {
      const { from, values } = matching(filter);
      const [counted, items] = await Promise.all([
        database.count(
          `select count(*) from (select from ${from} limit ${MOST_COUNTED + 1}) counted`,
          values,
        ),
        read(filter, { after: request.before, limit: request.limit, offset: offsetOf(request) }),
      ]);
      return { ...request, items, ...boundedTotal(counted) };
    },
  };
}

export type UserListingStore = ReturnType<typeof userListingStore>;
