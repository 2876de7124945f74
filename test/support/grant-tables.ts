import { after } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import type { Entry, Grant } from '../../src/modules/indicators/access/access.model.ts';
import { accessStore } from '../../src/modules/indicators/access/access.store.ts';
import { entryStore } from '../../src/modules/indicators/access/entries.store.ts';
import { newDatabase } from './databases.ts';
import { AT, grantOf } from './grants.ts';
import { until } from './live.ts';

const BLOCKED = `select count(*) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

let made = 0;
/** Returns a new id; later ones are greater. */
export const nextId = (): string => (++made).toString(16).padStart(24, '0');

/** The tables of grants in a database of this test file, without a platform that would work on them. */
export async function grantTables() {
  const { url, drop } = await newDatabase();
  const database = openDatabase({ url, connections: 4, onBackgroundError: () => undefined });
  after(async () => {
    await database.close();
    await drop();
  });
  const store = accessStore(database);
  const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
  const reread = async ({ id }: { id: string }): Promise<Grant> => (await store.find(id)) as Grant;

  return {
    database,
    store,
    within,
    reread,
    /** Creates an indicator; returns its id. Without a `pineId`, its script is called after the id. */
    async newIndicator(fields: { pineId?: string | null; name?: string; sortOrder?: number } = {}) {
      const id = nextId();
      const pineId = fields.pineId === undefined ? `PUB;${id}` : fields.pineId;
      const { name = `Indicator ${made}`, sortOrder = 0 } = fields;
      await database.insert('indicators.indicator', {
        id,
        name,
        description: '',
        pineId,
        isActive: true,
        sortOrder,
        createdAt: AT,
        updatedAt: AT,
      });
      return { id, pineId };
    },
    /** Writes a grant with these fields and entries, and reads it again. */
    async newGrant({ entries = [], ...fields }: Partial<Grant> & { indicatorId: string }, at = AT) {
      const { pineId: _, ...grant } = grantOf({ id: nextId(), userId: nextId(), ...fields });
      await within(async (tx) => {
        await store.put(tx, [grant as Grant], { actor: 'test', why: 'A test' }, at);
        for (const entry of entries) await entryStore.put(tx, grant.id, entry);
      });
      return reread(grant);
    },
    /** Waits until so many transactions of this database wait for locks of others. */
    untilBlocked: (count = 1) =>
      until(async () => (await database.count(BLOCKED)) >= count, `${count} that wait for a lock`),
    entriesOf: async ({ id }: { id: string }): Promise<Entry[]> => (await store.find(id))?.entries ?? [],
  };
}
