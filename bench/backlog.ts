// The work that a load leaves behind: events being delivered and notifications not yet created.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './scene.ts';

/** Returns the number of events of transfers without a notification. */
export async function backlogOf({ ask }: Scene): Promise<number> {
  const [row] = await ask(
    `select
       (select coalesce(sum(json_array_length(events::json)), 0) from kernel.outbox)
       + (select coalesce(sum(jsonb_array_length(data -> 'events')), 0) from jobs.job
          where name = 'on.wallet.transferred.notifications' and state < 'completed') as events`,
  );
  return Number(row?.events);
}

/** Waits until the backlog is empty; returns the seconds that it took. */
export async function drain(scene: Scene): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const left = await backlogOf(scene);
    if (left === 0) return (performance.now() - startedMs) / 1000;
    console.error(`${left.toLocaleString('en-US')} notifications are still to be created`);
    await sleep(left > 5_000 ? 1_000 : 100);
  }
}
