import { limitPerKey } from '../concurrency/limit-per-key.ts';
import { storableText } from '../text/safe-text.ts';
import type { BackOff } from './back-off.ts';
import { type Claimed, type JobRunsDeps, jobRuns } from './job-runs.ts';

/** How often a worker polls for jobs: without notifications, and with them, as a precaution. */
const POLL_SECONDS = 2;
const NOTIFIED_POLL_SECONDS = 60;
const DEFAULT_CONCURRENCY = 10;
/** Maximum number of items, as `split` counts them, in the transaction of several jobs. */
const MAX_TOGETHER = 100;

/** Of an error message, which may be what another system answered: one statement stores those of a whole batch. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A job of a batch that has run, unless it was completed in the transaction of its work. */
interface Outcome {
  id: string;
  status: 'completed' | 'failed';
  output?: object;
}

/**
 * Starts the workers of a kind of job and returns their ids. A worker takes a batch and runs its jobs, `concurrency` at a
 * time, settling each individually; it fetches more at once while batches are full, and when it is notified. Separate jobs
 * have one worker for each concurrent run instead.
 */
export async function beginWork({ backOff, ...deps }: JobRunsDeps & { backOff: BackOff }): Promise<string[]> {
  const { boss, work, end } = deps;
  const { runAllIn, lowPriority } = work;
  const { concurrency = lowPriority ? 2 : DEFAULT_CONCURRENCY, takes = concurrency } = work;
  const { name } = work.kind;
  const runs = jobRuns(deps);
  const limit = limitPerKey(concurrency);
  const turn = lowPriority ? backOff(end) : () => undefined;
  const isSeparate = work.separately === true || concurrency === 1;
  const options = {
    batchSize: isSeparate ? 1 : takes,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
    perJobResults: true,
  } as const;

  async function runOne(job: Claimed): Promise<Outcome | undefined> {
    const { id } = job;
    try {
      return (await runs.one(job)) ? undefined : { id, status: 'completed' };
    } catch (error) {
      const message = storableText(String((error as Error)?.message ?? error), MAX_MESSAGE_LENGTH);
      return { id, status: 'failed', output: { message } };
    }
  }

  async function runPack(pack: Claimed[]): Promise<(Outcome | undefined)[]> {
    if (pack.length > 1 && (await runs.together(pack))) return [];
    const outcomes = [];
    for (const job of pack) outcomes.push(await runOne(job));
    return outcomes;
  }

  /** Runs the jobs, and removes from the list those that are already completed. */
  async function runBatch(jobs: Claimed[]): Promise<Outcome[]> {
    const startedMs = performance.now();
    const packs = runAllIn ? packsOf(jobs, runs.sizeOf) : jobs.map((job) => [job]);
    const found = await Promise.all(packs.map((pack) => limit('', () => runPack(pack))));
    await turn(performance.now() - startedMs);
    const outcomes = found.flat().filter((outcome) => outcome !== undefined);
    const left = new Set(outcomes.map(({ id }) => id));
    // The queue goes by this list: without it, it would look in vain for jobs that are completed.
    jobs.splice(0, jobs.length, ...jobs.filter(({ id }) => left.has(id)));
    return outcomes;
  }

  const workers: string[] = [];
  for (let lane = 0; lane < (isSeparate ? concurrency : 1); lane++) {
    const worker = { id: '' };
    worker.id = await boss.work(name, options, async (jobs) => {
      const outcomes = await runBatch(jobs as Claimed[]);
      // After a batch of one the queue would wait for its next poll, even if more jobs are ready.
      if (isSeparate) boss.notifyWorker(worker.id);
      return outcomes;
    });
    workers.push(worker.id);
  }
  return workers;
}

/** Divides jobs, in order, into groups of at most {@link MAX_TOGETHER} items, or of one larger job. */
function packsOf(jobs: Claimed[], sizeOf: (job: Claimed) => number): Claimed[][] {
  const packs: Claimed[][] = [];
  let room = 0;
  for (const job of jobs) {
    const size = sizeOf(job);
    if (size <= room) packs.at(-1)?.push(job);
    else packs.push([job]);
    room = (size <= room ? room : MAX_TOGETHER) - size;
  }
  return packs;
}
