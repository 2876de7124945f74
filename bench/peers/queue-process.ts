// A process of the part `jobs`: one job queue, which works on command.
import { QUEUES, type Work } from './queues.ts';

export interface Command {
  do: 'enqueue' | 'work';
  work: Work;
  jobs: number;
}
export interface Measured {
  /** CPU of this process, and the time it took. */
  cpuUs: number;
  ms: number;
}

const CHUNK = 100;
const CLIENTS = 8;
const { BENCH_QUEUE = '', DATABASE_URL = '', REDIS_URL = '' } = process.env;
const queue = await QUEUES[BENCH_QUEUE]?.({ databaseUrl: DATABASE_URL, redisUrl: REDIS_URL });
if (!queue) throw new Error(`no job queue is called ${BENCH_QUEUE}`);

async function enqueue(work: Work, jobs: number): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let from = next; from < jobs; from = next) {
      next += CHUNK;
      await queue?.enqueue(
        work,
        Array.from({ length: CHUNK }, (_, place) => from + place),
      );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

function workOff(work: Work, jobs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let done = 0;
    const onDone = (count: number): void => {
      done += count;
      if (done >= jobs) resolve();
    };
    queue?.work(work, onDone).catch(reject);
  });
}

process.on('message', async ({ do: what, work, jobs }: Command) => {
  const [before, startedMs] = [process.cpuUsage(), performance.now()];
  await (what === 'enqueue' ? enqueue(work, jobs) : workOff(work, jobs));
  const { user, system } = process.cpuUsage(before);
  const measured: Measured = { cpuUs: user + system, ms: performance.now() - startedMs };
  process.send?.(measured);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
