import type { Database } from '../../src/kernel/database/database.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { manualClock, travellingClock } from '../../src/kernel/time/time.ts';
import { ledger } from '../../src/modules/wallet/ledger/ledger.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

/** Returns a ledger without a platform around it, whose events reach nobody, and its clock, which only the test moves. */
export function bareLedger(database: Database) {
  const clock = travellingClock(0, manualClock(NOON));
  const newId = idMaker(clock);
  const events = { publishAll: async () => undefined } as never;
  return { clock, newId, ...ledger({ database, events, clock, newId, maxRemembered: 0 }) };
}
