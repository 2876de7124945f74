import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/kernel/time/time.ts';
import { newDatabase } from '../support/databases.ts';
import type { Area, Command, NewArea } from './area.ts';
import { accessArea } from './areas/access.ts';
import { chatArea } from './areas/chat.ts';
import { faultArea, isFault, isJump } from './areas/faults.ts';
import { gatheringArea } from './areas/gathering.ts';
import { learningArea } from './areas/learning.ts';
import { leavingArea } from './areas/leaving.ts';
import { publishingArea } from './areas/publishing.ts';
import { tellingArea } from './areas/telling.ts';
import { walletArea } from './areas/wallet.ts';
import { startInstallation } from './installation.ts';
import { type Actor, newStage, type Stage, Violation } from './stage.ts';
import type { World } from './world.ts';

/** Those that move the clock when they settle come first. */
const AREAS: NewArea[] = [
  faultArea,
  tellingArea,
  walletArea,
  accessArea,
  chatArea,
  publishingArea,
  learningArea,
  gatheringArea,
  leavingArea,
];
/** On a busy machine, too. */
const SETTLING_MS = 180_000;

/** How a history ended: with a fault of the platform, or undefined; and what happened. */
export interface Ending {
  fault: string | undefined;
  story: string[];
}

/** Plays a history on a fresh copy of the world, and judges what is left of it. */
export async function play(history: Command[], world: World): Promise<Ending> {
  const { url, drop } = await newDatabase(world.template);
  const installation = await startInstallation(url);
  const stage = newStage(installation, world);
  const areas = AREAS.map((area) => area(stage));
  try {
    for (const area of areas) await area.begin?.();
    for (const commands of Map.groupBy(history, ({ round }) => round).values())
      await playRound(commands, stage, areas);
    await settle(stage, areas);
    for (const area of areas) await area.judge?.();
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

/** First what goes wrong in this round, then everybody side by side, then time. */
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
  await stage.installation.spring();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const jumps = commands.filter(({ kind }) => isJump(kind));
  if (jumps.length > 0) for (const area of areas) await area.beforeJump?.();
  for (const jump of jumps) await run(jump);
}

/** Everything around the platform works again, and all work that waits is done. */
async function settle(stage: Stage, areas: Area[]): Promise<void> {
  stage.note('— everything works again');
  for (const area of areas) await area.settle?.();
  const { clock, installation } = stage;
  const platform = await installation.platform();
  for (const startedMs = performance.now(); ; await sleep(20)) {
    const from = clock.date();
    clock.advance(2 * MINUTE_MS);
    const { unfinished } = await platform.catchUp(from, clock.date());
    // A job that failed is due again only later, as is an erasure that waits for other work to end.
    const failed = await stage.database.count(
      `select count(*) from jobs.job where state = 'retry'
         or (name = 'identity.erase-records' and state in ('created', 'active'))`,
    );
    if (unfinished.length + failed === 0) break;
    if (performance.now() - startedMs > SETTLING_MS)
      throw new Violation(
        `${failed} jobs fail or wait, and these queues never come to rest: ${unfinished.join(', ')}`,
      );
  }
  for (const area of areas) await area.rest?.();
}
