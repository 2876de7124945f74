import { openDatabase } from '../../kernel/database/database.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import type { Seed } from '../../modules/seed.ts';
import { analyze, makePlan, type Plan, type PlannedMember, plannedMembers } from './plan.store.ts';

/** Writes the rows of all modules in one transaction; returns the members of the plan. */
export async function seedRows(
  databaseUrl: string,
  { seeds, plan, report }: { seeds: Seed[]; plan: Plan; report: (what: string) => void },
): Promise<PlannedMember[]> {
  const database = openDatabase({ url: databaseUrl, connections: 1, onBackgroundError: () => undefined });
  try {
    return await database.transaction(
      async (tx) => {
        await makePlan(tx, plan);
        for (const { large } of seeds) if (large) report(await large(tx, plan));
        await analyze(tx);
        return plannedMembers(tx);
      },
      { maxStatementMs: HOUR_MS },
    );
  } finally {
    await database.close();
  }
}
