import type { Database } from '../../src/kernel/database/database.ts';
import { until } from './live.ts';

/** Waits until every published event has been handled, and the notifications that follow from it are written. */
export const settled = (database: Database): Promise<void> =>
  until(async () => {
    const found = await database.execute(
      `select 1 from kernel.outbox union all
       select 1 from jobs.job where state in ('created', 'active', 'retry')
         and (name like 'on.%' or name like 'notifications.fan-out%')`,
    );
    return found === 0;
  }, 'all events are through');
