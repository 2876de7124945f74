import { withTrace } from './trace.ts';

interface GatherOptions {
  /** The largest batch. */
  most: number;
  /** How many batches may run at once. */
  lanes: number;
  /** How many inputs may wait; one more is refused by `overflow`. */
  waiting: number;
  overflow: () => Error;
}

interface Waiting<In, Out> {
  input: In;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns a function over many inputs into one over a single input. Inputs that arrive in one turn of the event
 * loop, or while all lanes are busy, go as one batch: nothing is cached and nothing waits for a timer, yet a
 * hundred concurrent callers cost one round trip. (Databases call this group commit; GraphQL servers, a data
 * loader.)
 *
 * `run` answers one output for each input, in order; an Error among them rejects that caller alone.
 * When `run` throws, every caller of the batch is rejected.
 */
export function gather<In, Out>(
  run: (inputs: In[]) => Promise<(Out | Error)[]>,
  { most, lanes, waiting, overflow }: GatherOptions,
): (input: In) => Promise<Out> {
  let queue: Waiting<In, Out>[] = [];
  let running = 0;
  let scheduled = false;

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      for (const [place, { resolve, reject }] of batch.entries()) {
        const output = outputs[place] as Out | Error;
        if (output instanceof Error) reject(output);
        else resolve(output);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function startBatches(): void {
    scheduled = false;
    while (queue.length > 0 && running < lanes) {
      const batch = queue.slice(0, most);
      queue = queue.slice(most);
      running++;
      void runBatch(batch).finally(() => {
        running--;
        schedule();
      });
    }
  }

  function schedule(): void {
    if (scheduled || queue.length === 0 || running >= lanes) return;
    scheduled = true;
    // A batch belongs to many requests, so it must not run in the trace of the one that happened to come first.
    withTrace(undefined, () => setImmediate(startBatches));
  }

  return (input) =>
    new Promise<Out>((resolve, reject) => {
      if (queue.length >= waiting) {
        reject(overflow());
        return;
      }
      queue.push({ input, resolve, reject });
      schedule();
    });
}
