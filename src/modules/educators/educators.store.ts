import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Educator, EducatorCopy } from './educators.model.ts';

const COLUMNS = `e.id, e.username, e.first_name as "firstName", e.last_name as "lastName", e.permissions, e.profile,
  e.is_educator as "isEducator", e.is_active as "isActive", e.is_verified as "isVerified",
  e.featured_at as "featuredAt", e.educator_since as "educatorSince", coalesce(t.followers, 0) as followers,
  e.created_at as "createdAt", e.updated_at as "updatedAt"`;
const FROM = 'educators.educator e left join educators.tally t on t.educator_id = e.id';

const find = statement<Educator>('educators.find', `select ${COLUMNS} from ${FROM} where e.id = any($1)`);
/** Members who were never educators get no row. Only a copy made for a change may overwrite newer data. */
const copy = statement<Copied>(
  'educators.copy',
  // What was visible before, and the name, are read by a lock of its own, since `returning old` needs PostgreSQL 18.
  `with before as materialized (
     select id, is_visible, first_name, last_name from educators.educator where id = $1::text for update),
   copied as (
   insert into educators.educator as known (id, username, first_name, last_name, permissions, profile, searchable,
     is_educator, is_active, created_at, updated_at, educator_since)
   select $1::text, $2, $3, $4, $5::text[], $6::jsonb, $7, $8::boolean, $9::boolean, $10::timestamptz, $11::timestamptz,
     $11::timestamptz
   from (select) as one left join before on true
   where $8::boolean or before.id is not null
   on conflict (id) do update set username = excluded.username, first_name = excluded.first_name,
     last_name = excluded.last_name, permissions = excluded.permissions, profile = excluded.profile,
     searchable = excluded.searchable, is_educator = excluded.is_educator, is_active = excluded.is_active,
     updated_at = excluded.updated_at
   where $12::boolean or known.updated_at <= excluded.updated_at
   returning is_visible)
   select copied.is_visible, copied.is_visible is distinct from before.is_visible as visibility_changed,
     before.first_name as former_first_name, before.last_name as former_last_name
   from copied left join before on true`,
);

/** The effects of copying an account. */
interface Copied {
  visibilityChanged: boolean;
  isVisible: boolean;
  /** Null if there was no copy before. */
  formerFirstName: string | null;
  formerLastName: string | null;
}
const begin = statement<never>(
  'educators.begin-tally',
  'insert into educators.tally (educator_id) values ($1) on conflict do nothing',
);

/** SQL of educators. */
export function educatorStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<Educator | undefined> =>
      queries.first(find, [[id]]),
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Educator[]> => queries.all(find, [ids]),

    /** Returns visible educators, newest accounts first; served by educator_listing and educator_featured. */
    pageOf(featured: boolean | undefined, request: PageRequest): Promise<Page<Educator>> {
      const condition = { true: 'and featured_at is not null', false: 'and featured_at is null', any: '' };
      return readPage(
        database.reads,
        {
          columns: COLUMNS,
          from: `${FROM} where e.is_visible ${condition[`${featured ?? 'any'}`]}`,
          orderBy: featured ? 'featured_at desc, id desc' : 'id desc',
        },
        [],
        request,
      );
    },

    /**
     * Returns visible educators whose name or username contains or resembles the text, the most similar first;
     * served by educator_search.
     */
    search(text: string, featured: boolean | undefined, request: PageRequest): Promise<Page<Educator>> {
      return database.reads.transaction(async (tx) => {
        await tx.all(`select set_config('pg_trgm.word_similarity_threshold', '0.45', true)`);
        return readPage(
          tx,
          {
            columns: COLUMNS,
            from: `${FROM} where e.is_visible and (e.searchable like $2 or $1 operator(public.<%) e.searchable)
              and ($3::boolean is null or (e.featured_at is not null) = $3)`,
            orderBy: 'public.word_similarity($1, e.searchable) desc, (e.searchable like $2) desc, e.id desc',
          },
          [text, `%${text.replace(/[\\%_]/g, '\\$&')}%`, featured ?? null],
          request,
        );
      });
    },

    /** Copies an account from identity; returns undefined if it never belonged to an educator. */
    async copy(queries: Queries, one: EducatorCopy, isChange: boolean): Promise<Copied | undefined> {
      const copied = await queries.first(copy, [
        one.id,
        one.username,
        one.firstName,
        one.lastName,
        one.permissions,
        JSON.stringify(one.profile),
        one.searchable,
        one.isEducator,
        one.isActive,
        one.createdAt,
        one.updatedAt,
        isChange,
      ]);
      if (one.isEducator) await queries.execute(begin, [one.id]);
      return copied;
    },
    /**
     * Prevents changes of an educator's visibility until the transaction ends, so that such a change finds what the
     * transaction writes.
     */
    async keepVisibility(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('select from educators.educator where id = $1 for share', [id]);
    },

    async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ id: ObjectId }>(
        'select id from educators.educator where id > $1 order by id limit $2',
        [id, limit],
      );
      return rows.map((row) => row.id);
    },

    /** Returns those of the educators whom a member follows. */
    async followedAmong(userId: ObjectId, ids: ObjectId[]): Promise<Set<ObjectId>> {
      const rows = await database.all<{ id: ObjectId }>(
        'select educator_id as id from educators.follow where user_id = $1 and educator_id = any($2)',
        [userId, ids],
      );
      return new Set(rows.map(({ id }) => id));
    },
    /** Counts the visible educators without some of them. */
    countVisible: (except: ObjectId[]): Promise<number> =>
      database.count('select count(*) from educators.educator where is_visible and id <> all($1)', [except]),

    /** Sets the marks that administrators maintain; returns those before. */
    async mark(
      tx: Transaction,
      id: ObjectId,
      { isVerified, featured }: { isVerified?: boolean | undefined; featured?: boolean | undefined },
      at: Date,
    ): Promise<{ isVerified: boolean; featured: boolean } | undefined> {
      const before = await tx.first<{ isVerified: boolean; featured: boolean }>(
        'select is_verified, featured_at is not null as featured from educators.educator where id = $1 for no key update',
        [id],
      );
      await tx.execute(
        `update educators.educator set is_verified = coalesce($2, is_verified),
           featured_at = case when $3 then coalesce(featured_at, $4) when not $3 then null else featured_at end
         where id = $1`,
        [id, isVerified ?? null, featured ?? null, at],
      );
      return before;
    },
  };
}

export type EducatorStore = ReturnType<typeof educatorStore>;
