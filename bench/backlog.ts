// The work that a load leaves behind: events that have not reached all their subscribers, such as notifications.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './scene.ts';

const MANY = 5_000;

type Asking = Pick<Scene, 'ask'>;

/** Returns the number of events that are still to be worked off, counted once for each subscriber. */
export async function backlogOf({ ask }: Asking): Promise<number> {
  const [row] = await ask(
    `select
       (select coalesce(sum(json_array_length(events::json)), 0) from kernel.outbox)
       + (select coalesce(sum(jsonb_array_length(data -> 'events')), 0) from jobs.job
          where name like 'on.%' and state < 'completed' and jsonb_typeof(data -> 'events') = 'array') as events`,
  );
  return Number(row?.events);
}

/** Waits until the backlog is empty; returns the seconds that it took. */
export async function drain(scene: Asking): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const left = await backlogOf(scene);
    if (left === 0) return (performance.now() - startedMs) / 1000;
    if (left > MANY) console.error(`${left.toLocaleString('en-US')} events are still to be worked off`);
    await sleep(left > MANY ? 1_000 : 100);
  }
}
