/**
 * Takes steps one after the other, each of them even if one before it has failed.
 * @throws the first failure, after the last step
 */
export async function allInTurn(steps: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
