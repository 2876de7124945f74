import type { PgBoss } from 'pg-boss';

interface QueueWorkersDeps {
  boss: Pick<PgBoss, 'notifyWorker' | 'offWork'>;
  /** Once it is aborted, no further worker begins. */
  end: AbortSignal;
  onError: (error: Error) => void;
}

/** Starts the workers of a queue and returns their ids. */
type Begin = () => Promise<string[]>;

/**
 * The workers of this process. Those of a queue begin with its first job: each worker asks the database for jobs when it
 * begins, and most queues have none for a long time.
 */
export function queueWorkers({ boss, end, onError }: QueueWorkersDeps) {
  const beginOf = new Map<string, Begin>();
  const begun = new Map<string, Promise<string[]>>();

  async function begin(name: string, start: Begin): Promise<void> {
    const beginning = start();
    begun.set(name, beginning);
    try {
      await beginning;
    } catch (error) {
      begun.delete(name);
      if (!end.aborted) onError(error as Error);
    }
  }

  /** Lets workers look for jobs now. */
  const notify = (workers: string[]): void => {
    for (const worker of workers) boss.notifyWorker(worker);
  };

  return {
    /** The queues on which this process works. */
    names: (): string[] => [...beginOf.keys()],
    add: (name: string, start: Begin): void => void beginOf.set(name, start),
    /** Begins the workers of a queue, or lets those that have begun look for jobs now. */
    wake: (name: string): void => {
      const start = beginOf.get(name);
      const beginning = begun.get(name);
      if (beginning) void beginning.then(notify, () => undefined);
      else if (start && !end.aborted) void begin(name, start);
    },
    /** Waits for the jobs that run, and takes no more. */
    async stop(): Promise<void> {
      await Promise.allSettled(begun.values());
      await Promise.allSettled([...begun.keys()].map((name) => boss.offWork(name, { wait: true })));
    },
  };
}
