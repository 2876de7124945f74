import type { DatabaseUse } from '../database-use.ts';
import { isLostConnection } from '../outages.ts';
import { beginSpan, failureOf } from '../spans.ts';
import { currentTrace, withTrace } from '../trace.ts';

interface BatchingOptions {
  /** Maximum number of inputs in one batch. */
  maxSize: number;
  /** Maximum number of batches running at once. */
  concurrency: number;
  /** Maximum number of waiting inputs; one more is rejected with the error of `onOverflow`. */
  maxQueued: number;
  onOverflow: () => Error;
}

interface Waiting<In, Out> {
  input: In;
  /** Of the request that waits; told before the promise is settled, which costs no promise of its own. */
  use: DatabaseUse | undefined;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/** A batch that fails after so long failed because the database hangs: no statement may take that long. */
const HANGING_MS = 5_000;

/**
 * Turns a function over many inputs into one over a single input. Inputs that arrive in one turn of the event loop, or
 * while all batches are running, share a batch. Nothing is cached and nothing waits for a timer, yet a hundred
 * concurrent callers cost one round trip. (Databases call this group commit; GraphQL servers, a data loader.)
 *
 * `run` returns one output for each input, in order; an Error among them rejects only its own caller. When `run`
 * throws, every caller of the batch is rejected; if that is because the database hangs, so are those who wait behind it, who
 * would wait as long once more. A run that has to wait before it begins calls `more` afterwards, which
 * adds to the batch what has arrived meanwhile and returns it. A request that waits for its batch waits for the database.
 */
export function batching<In, Out>(
  run: (inputs: In[], more: () => In[]) => Promise<(Out | Error)[]>,
  { maxSize, concurrency, maxQueued, onOverflow }: BatchingOptions,
): (input: In) => Promise<Out> {
  let queue: Waiting<In, Out>[] = [];
  let running = 0;
  let scheduled = false;

  function takeWaiting(atMost: number): Waiting<In, Out>[] {
    const taken = queue.slice(0, atMost);
    queue = queue.slice(atMost);
    return taken;
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    const more = (): In[] => {
      const added = takeWaiting(maxSize - batch.length);
      batch.push(...added);
      return added.map(({ input }) => input);
    };
    const startedMs = performance.now();
    try {
      const outputs = await run(
        batch.map(({ input }) => input),
        more,
      );
      for (const [place, { use, resolve, reject }] of batch.entries()) {
        const output = outputs[place] as Out | Error;
        use?.answered();
        if (output instanceof Error) reject(output);
        else resolve(output);
      }
    } catch (error) {
      const isHanging = isLostConnection(error) && performance.now() - startedMs > HANGING_MS;
      for (const { use, reject } of isHanging ? [...batch, ...takeWaiting(queue.length)] : batch) {
        use?.answered();
        reject(error);
      }
    }
  }

  function startBatches(): void {
    scheduled = false;
    while (queue.length > 0 && running < concurrency) {
      running++;
      void runBatch(takeWaiting(maxSize)).finally(() => {
        running--;
        schedule();
      });
    }
  }

  function schedule(): void {
    if (scheduled || queue.length === 0 || running >= concurrency) return;
    scheduled = true;
    // Serves many requests, so it must not run in the trace of the one that happened to schedule it.
    withTrace(undefined, () => setImmediate(startBatches));
  }

  const add = (input: In, use: DatabaseUse | undefined): Promise<Out> =>
    new Promise<Out>((resolve, reject) => {
      if (queue.length >= maxQueued) {
        reject(onOverflow());
        return;
      }
      use?.sent();
      queue.push({ input, use, resolve, reject });
      schedule();
    });

  return (input) => {
    const trace = currentTrace();
    const span = trace?.spans && beginSpan('batch', 'internal', trace);
    const output = add(input, trace?.databaseUse);
    if (span)
      output.then(
        () => span.end(),
        (error) => span.end({ failure: failureOf(error) }),
      );
    return output;
  };
}
