import type { Queries, Query, Transaction } from './queries.ts';
import type { ReplicaFirst } from './replica.ts';
import { countOf, rowsOf } from './rows.ts';
import type { Server } from './server.ts';

/**
 * Short queries of members that a replica may answer, if there is one: searches and catalogues. They see everything
 * that was committed before them. They must not read unlogged tables, which a replica does not have.
 */
export interface Reads extends Pick<Queries, 'all' | 'first' | 'count'> {
  /** Runs several in one transaction, perhaps twice. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** Returns reads on one server. */
const readsOn = ({ query, transaction }: Pick<Server, 'query' | 'transaction'>): Reads => ({
  all: async (sql, values) => rowsOf(await query(sql, values)),
  first: async <Row extends object>(sql: Query<Row>, values?: unknown[]) =>
    rowsOf<Row>(await query(sql, values))[0],
  count: async (sql, values) => countOf(await query(sql, values)),
  transaction: (work) => transaction(work),
});

/** Returns reads on the primary, or on its replica if there is one. */
export function openReads(primary: Server, replica?: Server, first?: ReplicaFirst): Reads {
  const own = readsOn(primary);
  if (!replica || !first) return own;
  const there = readsOn(replica);
  return {
    all: (...given) =>
      first.run(
        () => there.all(...given),
        () => own.all(...given),
      ),
    first: (...given) =>
      first.run(
        () => there.first(...given),
        () => own.first(...given),
      ),
    count: (...given) =>
      first.run(
        () => there.count(...given),
        () => own.count(...given),
      ),
    transaction: (work) =>
      first.run(
        () => there.transaction(work),
        () => own.transaction(work),
      ),
  };
}
