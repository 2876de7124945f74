import { changing } from '../../src/modules/indicators/access/changing.ts';
import { entryStore } from '../../src/modules/indicators/access/entries.store.ts';
import { grantRules } from '../../src/modules/indicators/access/grants.ts';
import { interventionRules } from '../../src/modules/indicators/access/interventions.ts';
import { catalogueStore } from '../../src/modules/indicators/catalogue/catalogue.store.ts';
import { holderStore } from '../../src/modules/indicators/handles/holders.store.ts';
import { grantTables, nextId } from './grant-tables.ts';
import { AT } from './grants.ts';

export const ADMINISTRATOR = { actor: 'an administrator' };

/** The rules that change grants, on the tables alone, and what they told other parts of the platform. */
export async function grantRulesOnTables() {
  const tables = await grantTables();
  const { database, store } = tables;
  const heard = {
    jobs: 0,
    /** Members whose news were looked for. */
    told: [] as string[],
    waitsEnded: 0,
    audit: [] as { action: string; target?: string; details?: object }[],
  };
  /** What the limit of handle changes answers. */
  const limit = { admitted: true, retryAtMs: 0 };
  const asked: string[] = [];
  const clock = { date: () => AT, now: () => AT.getTime() } as never;
  const audit = {
    record: async (_tx: unknown, { action, target, details }: (typeof heard.audit)[number]) => {
      heard.audit.push({ action, target: target as string, details: details as object });
    },
  } as never;
  const holders = holderStore();
  const catalogue = catalogueStore(database);
  const changes = changing({
    store,
    catalogue,
    holders,
    settling: {
      tell: async (_tx, userId) => {
        heard.told.push(userId);
      },
    },
    database,
    jobs: {
      enqueue: async () => {
        heard.jobs++;
      },
    } as never,
    clock,
    newId: nextId as never,
  });
  const cache = {
    consumeSliding: async (key: string) => {
      asked.push(key);
      return limit;
    },
  } as never;
  const grantDeps = { store, catalogue, holders, changes, database, audit, cache, clock };
  return {
    ...tables,
    heard,
    /** Forgets what the rules have told so far. */
    forget: () => Object.assign(heard, { jobs: 0, told: [], waitsEnded: 0, audit: [] }),
    limit,
    /** The limits that were asked. */
    asked,
    holders,
    changes,
    grantDeps,
    grants: grantRules(grantDeps),
    interventions: interventionRules({
      changes,
      entries: entryStore,
      account: {
        endWait: async () => {
          heard.waitsEnded++;
        },
      },
      audit,
    }),
  };
}
