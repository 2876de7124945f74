import { type TSchema, Type } from 'typebox';
import { Failure } from '../failures.ts';
import { nullable } from './shapes.ts';

/** How many things one request changes at most. */
const MOST_IDS = 100;

/** The ids of the records to change; duplicates are ignored. */
export const bulkIds = <Id extends TSchema>(id: Id) =>
  Type.Array(id, { minItems: 1, maxItems: MOST_IDS, description: `At most ${MOST_IDS}` });

/** What every result of a bulk operation has besides its `id`: why nothing changed, or null. */
export const bulkFailure = {
  error: nullable(
    Type.String({ description: 'The code of the failure; null if it was done', examples: ['NOT_FOUND'] }),
  ),
  message: nullable(Type.String({ description: 'The failure in words', examples: ['Report not found'] })),
};

type BulkResult<Done extends object> = { id: string; error: string | null; message: string | null } & Done;

/**
 * Runs the work for each id, one after another, each in its own transaction, so that a failure does not affect the
 * others. Returns a result for each, in the order of their first mention.
 * @param undone the fields of a result whose work failed
 * @throws any error that is not a {@link Failure}; work done before it remains
 */
export async function forEachId<Done extends object>(
  ids: readonly string[],
  undone: NoInfer<Done>,
  work: (id: string) => Promise<Done>,
): Promise<BulkResult<Done>[]> {
  const results: BulkResult<Done>[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ...(await work(id)), error: null, message: null });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ id, ...undone, error: error.code, message: error.message });
    }
  }
  return results;
}
