import type { ObjectId } from '../ids.ts';
import type { Queries } from './queries.ts';

interface NeighbourQuery {
  columns: string;
  table: string;
  /** The column with the id of what the rows stand in; an index must have it and the id. */
  container: string;
}

/**
 * Returns a row, if it still exists, and the rows next to it in what it stands in, by ascending id: at most `sides`
 * before and as many after it.
 */
export function readNeighbours<Row extends object>(
  queries: Pick<Queries, 'all'>,
  { columns, table, container }: NeighbourQuery,
  { id, containerId }: { id: ObjectId; containerId: ObjectId },
  sides: number,
): Promise<Row[]> {
  const part = (isNext: string) =>
    `(select ${columns} from ${table} where ${container} = $1 and id ${isNext})`;
  const parts = [part('< $2 order by id desc limit $3'), part('= $2'), part('> $2 order by id limit $3')];
  const text = `select * from (${parts.join(' union all ')}) around order by id`;
  return queries.all<Row>(text, [containerId, id, sides]);
}
