import type { Sealer } from '../secrets.ts';

/** A column whose values are sealed, so that they are to be sealed again when SECRET_KEY is replaced. */
export interface SealedColumn {
  /** The table's name, with its schema. */
  table: string;
  /** The column of the primary key. */
  key: string;
  /** Of type `bytea`. */
  column: string;
  /** An SQL condition on the rows that are still opened; by default all are. */
  where?: string;
  sealer: Sealer;
}
