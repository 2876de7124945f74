import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/kernel/time/time.ts';
import { newDatabase } from '../support/databases.ts';
import type { Area, Command, NewArea } from './area.ts';
import { accessArea } from './areas/access.ts';
import { chatArea } from './areas/chat.ts';
import { communityArea } from './areas/community.ts';
import { erasureArea } from './areas/erasure.ts';
import { faultArea, isFault, isJump } from './areas/faults.ts';
import { learningArea } from './areas/learning.ts';
import { notifyingArea } from './areas/notifying.ts';
import { publishingArea } from './areas/publishing.ts';
import { walletArea } from './areas/wallet.ts';
import { startInstallation } from './installation.ts';
import type { RedisServer } from './redis.ts';
import { type Actor, newStage, type Stage, Violation } from './stage.ts';
import type { World } from './world.ts';

/** Areas that move the clock while settling come first. */
const AREAS: NewArea[] = [
  faultArea,
  notifyingArea,
  walletArea,
  accessArea,
  chatArea,
  publishingArea,
  learningArea,
  communityArea,
  erasureArea,
];
/** Long enough for a busy machine. */
const SETTLING_MS = 180_000;

/** The result of a history: the fault of the platform that was found, if any, and a log of what happened. */
export interface Ending {
  fault: string | undefined;
  story: string[];
}

/**
 * Plays a history on a fresh copy of the world, and then compares the platform with the models of the areas.
 * @param redis what the platform uses meanwhile; without it nothing of Redis is simulated
 */
export async function play(history: Command[], world: World, redis?: RedisServer): Promise<Ending> {
  const { url, drop } = await newDatabase(world.template);
  const installation = await startInstallation(url, redis);
  const stage = newStage(installation, world);
  const areas = AREAS.map((area) => area(stage));
  try {
    for (const area of areas) await area.begin?.();
    for (const commands of Map.groupBy(history, ({ round }) => round).values())
      await playRound(commands, stage, areas);
    await settle(stage, areas);
    for (const area of areas) await area.judge?.();
    await checkDeadlocks(stage);
    return { fault: undefined, story: stage.story };
  } catch (error) {
    return {
      fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      story: stage.story,
    };
  } finally {
    for (const area of areas) area.end?.();
    await installation.close();
    await drop();
  }
}

/** A transaction that deadlocks is run again, but its locks have held up everybody else for a second. */
async function checkDeadlocks({ database }: Stage): Promise<void> {
  const deadlocks = await database.count(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  if (deadlocks > 0) throw new Violation(`there were ${deadlocks} deadlocks`);
}

/** Sets this round's faults, runs everybody's commands concurrently, and then moves the clock. */
async function playRound(commands: Command[], stage: Stage, areas: Area[]): Promise<void> {
  stage.note(`— round ${commands[0]?.round}`);
  const run = async ({ kind, who, pick }: Command): Promise<void> => {
    const area = areas.find((one) => kind in one.commands) as Area;
    await area.commands[kind]?.({ actor: stage.people[who] as Actor, pick });
  };
  for (const one of commands) if (isFault(one.kind)) await run(one);
  const doings = commands.filter(({ kind }) => !isFault(kind) && !isJump(kind));
  const lanes = [...Map.groupBy(doings, ({ who }) => who).values()].map(async (own) => {
    for (const one of own) await run(one);
  });
  const outcomes = await Promise.allSettled(lanes);
  await stage.installation.loseNow();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const jumps = commands.filter(({ kind }) => isJump(kind));
  if (jumps.length > 0) for (const area of areas) await area.beforeJump?.();
  for (const jump of jumps) await run(jump);
}

/** Makes everything around the platform work again, and waits until no work is pending. */
async function settle(stage: Stage, areas: Area[]): Promise<void> {
  stage.note('— everything works again');
  for (const area of areas) await area.settle?.();
  const { clock, installation } = stage;
  for (const startedMs = performance.now(); ; await sleep(20)) {
    const from = clock.date();
    clock.advance(2 * MINUTE_MS);
    const { unfinished } = await installation.catchUp(from, clock.date());
    // `catchUp` does not wait for jobs that are due later: failed ones, and erasures that wait for other work.
    const failed = await stage.database.count(
      `select count(*) from jobs.job where state = 'retry'
         or (name = 'identity.erase-records' and state in ('created', 'active'))`,
    );
    if (unfinished.length + failed === 0) break;
    if (unfinished.length > 0) await installation.requeueLostJobs();
    if (performance.now() - startedMs > SETTLING_MS)
      throw new Violation(
        `${failed} jobs still fail or wait, and these queues are not empty: ${unfinished.join(', ')}`,
      );
  }
  for (const area of areas) await area.rest?.();
}
