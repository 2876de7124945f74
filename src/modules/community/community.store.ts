import type { Database } from '../../kernel/database/database.ts';
import { BEYOND_IDS, offsetOf, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { searchPatterns } from '../../kernel/database/searchable.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Community, Joined } from './community.model.ts';

const COMMUNITY = `id, name, description, created_by, member_count, post_count, created_at,
  coalesce(updated_at, created_at) as updated_at`;

/** Rows of a member deleted per transaction. */
const ROWS_AT_ONCE = 200;

export function communityStore(database: Database) {
  return {
    find: (id: ObjectId) =>
      database.first<Community>(`select ${COMMUNITY} from community.community where id = $1`, [id]),
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Community[]> =>
      queries.all<Community>(`select ${COMMUNITY} from community.community where id = any($1)`, [ids]),
    /**
     * Returns the creator of a community if the member is in it, otherwise undefined. The member cannot leave it until
     * the transaction ends. Memberships are locked before communities.
     */
    async creatorFor(
      tx: Transaction,
      communityId: ObjectId,
      userId: ObjectId,
    ): Promise<ObjectId | undefined> {
      const found = await tx.first<{ createdBy: ObjectId }>(
        `select created_by from community.member join community.community on id = community_id
         where community_id = $1 and user_id = $2 for key share of member`,
        [communityId, userId],
      );
      return found?.createdBy;
    },

    /** Returns those of the communities that a member has joined. */
    async joinedBy(userId: ObjectId, communityIds: ObjectId[]): Promise<Set<ObjectId>> {
      const rows = await database.all<{ communityId: ObjectId }>(
        'select community_id from community.member where user_id = $1 and community_id = any($2)',
        [userId, communityIds],
      );
      return new Set(rows.map(({ communityId }) => communityId));
    },
    /**
     * Returns communities, newest first: those with a part of their name, and, if `joined` is given, that a member has
     * joined, or has not. Served by community_by_name.
     */
    pageOf: (
      { joined, search, userId }: { joined?: boolean; search?: string; userId: ObjectId },
      request: PageRequest,
    ) => {
      const from = `community.community where ($1::text[] is null or lower(name) like any($1)) and ($2::boolean is null
        or $2 = (id in (select community_id from community.member where user_id = $3)))`;
      return readPage<Community>(
        database,
        { columns: COMMUNITY, from, orderBy: 'id desc', isGrowing: true },
        [search === undefined ? null : searchPatterns(search), joined ?? null, userId],
        request,
      );
    },
    /** Returns the members of a community, by descending id. */
    membersOf: (communityId: ObjectId, request: PageRequest): Promise<Joined[]> =>
      database.all(
        `select user_id, joined_at from community.member
         where community_id = $1 and user_id < $4 order by user_id desc limit $2 offset $3`,
        [communityId, request.limit, offsetOf(request), request.before ?? BEYOND_IDS],
      ),
    async insert(tx: Transaction, one: Community): Promise<void> {
      await tx.insert('community.community', one, [
        'id',
        'name',
        'description',
        'createdBy',
        'createdAt',
        'updatedAt',
      ]);
    },
    /** Locks a community and returns it; undefined if it no longer exists. */
    lock: (tx: Transaction, id: ObjectId): Promise<Community | undefined> =>
      tx.first(`select ${COMMUNITY} from community.community where id = $1 for no key update`, [id]),
    async update(
      tx: Transaction,
      one: Pick<Community, 'id' | 'name' | 'description' | 'updatedAt'>,
    ): Promise<void> {
      await tx.update('community.community', one, ['name', 'description', 'updatedAt']);
    },
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('delete from community.community where id = $1', [id]);
    },
    /** Deletes some members of a deleted community; returns how many, 0 when none are left. */
    deleteSomeMembers: (communityId: ObjectId): Promise<number> =>
      database.execute(
        `delete from community.member where (community_id, user_id) in (
           select community_id, user_id from community.member where community_id = $1 limit ${ROWS_AT_ONCE})`,
        [communityId],
      ),
    /**
     * Adds a member; has no effect on a current member. The community is locked against its deletion only: with a lock
     * that its own update has to wait for, two members who join at once would wait for each other.
     */
    async join(tx: Transaction, communityId: ObjectId, userId: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        `with joined as (
           insert into community.member (community_id, user_id, joined_at)
           select id, $2, $3 from community.community where id = $1 for key share
           on conflict do nothing returning 1)
         update community.community set member_count = member_count + (select count(*) from joined) where id = $1`,
        [communityId, userId, at],
      );
    },
    async leave(communityId: ObjectId, userId: ObjectId, queries: Queries = database): Promise<void> {
      await queries.execute(
        `with gone as (delete from community.member where community_id = $1 and user_id = $2 returning 1)
         update community.community set member_count = member_count - (select count(*) from gone) where id = $1`,
        [communityId, userId],
      );
    },
    /** Removes a member from some of their communities; returns how many, 0 when none are left. */
    async leaveSome(tx: Transaction, userId: ObjectId): Promise<number> {
      const rows = await tx.all<{ communityId: ObjectId }>(
        `delete from community.member where user_id = $1 and community_id in (
           select community_id from community.member where user_id = $1 order by community_id limit ${ROWS_AT_ONCE})
         returning community_id`,
        [userId],
      );
      const ids = rows.map(({ communityId }) => communityId);
      await tx.execute(
        'select 1 as locked from community.community where id = any($1) order by id for no key update',
        [ids],
      );
      await tx.execute('update community.community set member_count = member_count - 1 where id = any($1)', [
        ids,
      ]);
      return rows.length;
    },
  };
}

export type CommunityStore = ReturnType<typeof communityStore>;
