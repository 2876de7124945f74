import { readBacklog } from '../../kernel/database/backlog.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import { searchPatterns } from '../../kernel/database/searchable.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { RequestedAccess } from '../indicators/contract.ts';
import type { AccessRequest, QueuedRow, QueueFilter } from './requests.model.ts';

const COLUMNS = `r.id, r.product_id as "productId", r.user_id as "userId", r.full_name as "fullName", r.email,
  r.charting_id as "chartingId", r.answers, r.status, r.submissions, r.reason, r.decided_by as "decidedBy",
  r.decided_at as "decidedAt", r.created_at as "createdAt", r.updated_at as "updatedAt"`;
const REQUESTS = 'marketplace.access_request r join marketplace.product p on p.id = r.product_id';
const QUEUED = `${COLUMNS}, p.name as "productName"`;

/** The properties that an update writes. */
const CONTENT = [
  'fullName',
  'chartingId',
  'answers',
  'status',
  'submissions',
  'reason',
  'decidedBy',
  'decidedAt',
  'updatedAt',
] as const;
const written = (request: AccessRequest) => ({ ...request, answers: JSON.stringify(request.answers) });

const find = statement<AccessRequest>(
  'marketplace.find-request',
  `select ${COLUMNS} from marketplace.access_request r where r.id = $1`,
);
const findNamed = statement<Pick<QueuedRow, 'id' | 'status' | 'reason' | 'productName'>>(
  'marketplace.named-requests',
  `select r.id, r.status, r.reason, coalesce(p.name, '') as product_name from marketplace.access_request r
     left join marketplace.product p on p.id = r.product_id
   where r.id = any($1)`,
);
const lock = statement<AccessRequest>(
  'marketplace.lock-request',
  `select ${COLUMNS} from marketplace.access_request r where r.id = $1 for update`,
);
const findOwn = statement<AccessRequest>(
  'marketplace.find-own-request',
  `select ${COLUMNS} from marketplace.access_request r
   where r.user_id = $1 and r.product_id = $2 and r.email = $3 for update`,
);
const statuses = statement<{ productId: ObjectId; status: AccessRequest['status'] }>(
  'marketplace.request-statuses',
  `select distinct on (product_id) product_id as "productId", status from marketplace.access_request
   where email = $1 and ($2::text is null or user_id = $2)
   order by product_id, array_position(array['approved', 'pending', 'denied'], status)`,
);

/** SQL of access requests. */
export function requestStore(database: Database) {
  /** Conditions and their values; served by request_queue, request_queue_by_status, request_queue_by_product and request_search. */
  const queue = ({ status, productId, search }: QueueFilter) => {
    const values: unknown[] = [];
    const conditions: string[] = [];
    const add = (condition: (place: string) => string, value: unknown): void => {
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    if (status !== undefined) add((place) => `r.status = ${place}`, status);
    if (productId !== undefined) add((place) => `r.product_id = ${place}`, productId);
    if (search !== undefined)
      add((place) => `r.searchable like any(${place}::text[])`, searchPatterns(search));
    const where = ` where ${['true', ...conditions].join(' and ')}`;
    return {
      from: `${REQUESTS}${where}`,
      // Counts are stored for each product and status; only the results of a search are counted, up to a limit.
      count: `select coalesce(sum(r.count), 0) from marketplace.tally r${where}`,
      isGrowing: search !== undefined,
      values,
    };
  };

  return {
    find: (id: ObjectId, queries: Queries = database): Promise<AccessRequest | undefined> =>
      queries.first(find, [id]),
    /** Returns those of the requests that still exist, with the names of their products. */
    findNamed: (ids: ObjectId[], queries: Queries) => queries.all(findNamed, [ids]),
    /** Serializes changes to the requests of a member; taken before {@link lock}. */
    lockMember: (tx: Transaction, userId: ObjectId): Promise<void> =>
      tx.lock('marketplace.requests-of', userId),
    lock: (tx: Transaction, id: ObjectId): Promise<AccessRequest | undefined> => tx.first(lock, [id]),
    /** Returns what the approved requests of a member grant, the latest decision first. */
    approvedOf: (tx: Transaction, userId: ObjectId): Promise<RequestedAccess[]> =>
      tx.all<RequestedAccess>(
        `select r.id as request_id, p.scanner_id as indicator_id, r.user_id, r.charting_id as handle
         from marketplace.access_request r join marketplace.product p on p.id = r.product_id
         where r.user_id = $1 and r.status = 'approved' and r.charting_id is not null
           and p.product_type = 'scanner' and p.scanner_id is not null
         order by r.decided_at desc, r.id desc`,
        [userId],
      ),
    /** Returns the request of an account for a product with an e-mail, locked. */
    findOwn: (tx: Transaction, userId: ObjectId, productId: ObjectId, email: string) =>
      tx.first(findOwn, [userId, productId, email]),
    /** Returns how many requests wait for a decision; served by request_queue_by_status. */
    backlog: () =>
      readBacklog(
        database,
        `select updated_at as at from marketplace.access_request where status = 'pending' order by updated_at, id`,
      ),
    /** Returns the request with this id, those with the e-mail, and those whose charting id matches the pattern. */
    findNamedBy: (
      { id, email, pattern }: { id: ObjectId | undefined; email: string; pattern: string },
      limit: number,
    ): Promise<QueuedRow[]> =>
      database.all<QueuedRow>(
        `select ${QUEUED} from ${REQUESTS} where r.id in (
           (select id from marketplace.access_request where id = $1) union
           (select id from marketplace.access_request where email = $2 limit $4) union
           (select id from marketplace.access_request where charting_id is not null and lower(charting_id) like $3
            order by lower(charting_id) using ~<~ limit $4))
         order by r.updated_at desc, r.id desc limit $4`,
        [id ?? null, email, pattern, limit],
      ),
    /** Returns the requests of a member, most recently changed first. */
    newestOf: (userId: ObjectId, limit: number): Promise<QueuedRow[]> =>
      database.all<QueuedRow>(
        `select ${QUEUED} from ${REQUESTS} where r.user_id = $1 order by r.updated_at desc, r.id desc limit $2`,
        [userId, limit],
      ),
    /** Returns the requests of a member, of whom there are few, newest first; served by access_request_key. */
    pageOfMember: (userId: ObjectId, productId: ObjectId | undefined, page: PageRequest) =>
      readPage<QueuedRow>(
        database,
        {
          columns: QUEUED,
          from: `${REQUESTS} where r.user_id = $1 and ($2::text is null or r.product_id = $2)`,
          orderBy: 'r.id desc',
          id: 'r.id',
        },
        [userId, productId ?? null],
        page,
      ),
    countOf: (tx: Transaction, userId: ObjectId): Promise<number> =>
      tx.count('select count(*) from marketplace.access_request where user_id = $1', [userId]),
    async insert(tx: Transaction, request: AccessRequest): Promise<void> {
      await tx.insert('marketplace.access_request', written(request), [
        'id',
        'productId',
        'userId',
        'email',
        'createdAt',
        ...CONTENT,
      ]);
    },
    async update(tx: Transaction, request: AccessRequest): Promise<void> {
      await tx.update('marketplace.access_request', written(request), CONTENT);
    },
    /** Returns the effective status for each product, of one member or of all. */
    statusesOf: (email: string, userId: ObjectId | undefined) =>
      database.all(statuses, [email, userId ?? null]),

    /** Returns requests, most recently changed first. */
    async pageOf(filter: QueueFilter, page: PageRequest): Promise<Page<QueuedRow>> {
      const { values, ...parts } = queue(filter);
      const read: Page<QueuedRow> = await readPage(
        database,
        { columns: QUEUED, orderBy: 'r.updated_at desc, r.id desc', moment: 'r.updated_at, r.id', ...parts },
        values,
        page,
      );
      return { totalIsExact: true, ...read };
    },
    /** Yields all matching requests in chunks. */
    async *all(filter: QueueFilter, atOnce: number): AsyncGenerator<QueuedRow[]> {
      const { from, values } = queue(filter);
      let last: QueuedRow | undefined;
      for (;;) {
        const after = last
          ? ` and (r.updated_at, r.id) < ($${values.length + 1}, $${values.length + 2})`
          : '';
        const some: QueuedRow[] = await database.all(
          `select ${QUEUED} from ${from}${after} order by r.updated_at desc, r.id desc limit ${atOnce}`,
          last ? [...values, last.updatedAt, last.id] : values,
        );
        if (some.length > 0) yield some;
        if (some.length < atOnce) return;
        last = some.at(-1);
      }
    },
    /** Deletes all requests of a member. */
    async eraseOf(tx: Transaction, userId: ObjectId): Promise<void> {
      await tx.execute('delete from marketplace.access_request where user_id = $1', [userId]);
    },
  };
}

export type RequestStore = ReturnType<typeof requestStore>;
