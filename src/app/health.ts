import { cachedFor } from '../kernel/concurrency/cached-for.ts';
import { withinTime } from '../kernel/concurrency/deadline.ts';
import type { Database } from '../kernel/database/database.ts';
import { isUsable } from '../kernel/database/schema-state.ts';
import type { Bus } from '../kernel/distributed/bus.ts';
import type { Cache } from '../kernel/distributed/cache.ts';
import { SECOND_MS } from '../kernel/time/time.ts';
import type { Module } from '../modules/module.ts';
import { schemaStateOf } from './schema.ts';

/** How long readiness caches the state of the schema. */
const SCHEMA_FRESH_MS = 2 * SECOND_MS;
/** How long readiness waits for it. */
const SCHEMA_ANSWER_MS = SECOND_MS;

interface HealthDeps {
  database: Database;
  bus: Pick<Bus, 'isConnected'>;
  cache: Pick<Cache, 'isConnected'>;
  modules: readonly Module[];
  /** Whether the process has started and is not about to stop. */
  isServing: () => boolean;
}

/**
 * Returns the health of the process. It is ready while it serves, its database answers, and the database has a
 * compatible schema.
 */
export function healthOf({ database, bus, cache, modules, isServing }: HealthDeps) {
  // Undefined while the database is unavailable, which readiness reports separately.
  const schema = cachedFor(SCHEMA_FRESH_MS, () =>
    withinTime(SCHEMA_ANSWER_MS, schemaStateOf(database)).catch(() => undefined),
  );
  const fits = async (): Promise<boolean> => {
    const state = await schema();
    return state === undefined || isUsable(state);
  };
  return {
    isReady: async () => {
      if (!isServing()) return false;
      const all = await Promise.all([answers(database), fits()]);
      return all.every((isRight) => isRight);
    },
    degraded: () => [
      ...(database.writes.isRefused() ? ['database'] : []),
      ...(bus.isConnected() && cache.isConnected() ? [] : ['redis']),
      ...modules.flatMap((module) => module.degraded?.() ?? []),
    ],
    schema: async () => (await schema())?.schema,
  };
}

const answers = (database: Database): Promise<boolean> =>
  database.ping().then(
    () => true,
    () => false,
  );
