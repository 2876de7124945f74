import { codeOf } from '../outages.ts';

/** Wrong data, violated constraints, conflicts of transactions, and locks that were not released in time. */
const ROLLED_BACK = /^(22|23|40|55)/;

/** Whether an error proves that nothing was written, unlike a connection lost at the commit. */
export const isRolledBack = (error: unknown): boolean => ROLLED_BACK.test(codeOf(error) ?? '');

/**
 * Wraps a batch that is one statement: if the statement is rolled back, it is repeated for each input separately, so
 * that only the faulty input fails.
 */
export const aloneIfRolledBack =
  <In, Out>(run: (inputs: In[]) => Promise<(Out | Error)[]>) =>
  async (inputs: In[]): Promise<(Out | Error)[]> => {
    try {
      return await run(inputs);
    } catch (error) {
      if (inputs.length === 1 || !isRolledBack(error)) throw error;
      const alone = async (input: In) => run([input]).catch((failed: Error) => [failed]);
      return (await Promise.all(inputs.map(alone))).flat();
    }
  };
