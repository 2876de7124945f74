import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isReadOnly } from '../outages.ts';
import { SECOND_MS } from '../time/time.ts';

const DISK_FULL = '53100';
const IO_ERROR = '58030';

const TRY_EVERY_MS = 2 * SECOND_MS;
/** While a disk is full small writes succeed here and there, which says nothing of others. */
const UNCERTAIN_MS = 30 * SECOND_MS;

interface Options {
  /** Called when the database begins to refuse writes, and when it takes them again; by default nothing is. */
  onWrites?: { refused: (error: Error) => void; taken: () => void } | undefined;
  /** Writes something small. */
  tryWrite: () => Promise<unknown>;
  /** For how long a full disk must not have been noticed, in milliseconds; for tests. */
  uncertainMs?: number | undefined;
}

/** What is known of writes that the database refuses while it answers queries. */
export interface RefusedWrites {
  isRefused(): boolean;
  /** Takes the error of any failed statement, also of other pools. */
  failed(error: unknown): void;
  close(): void;
}

/**
 * Notices by the statements that fail anyway that the database takes no writes, because it is read-only or its disk is
 * full or broken. From then on it tries a write every two seconds, until one succeeds.
 */
export function refusedWrites({ onWrites, tryWrite, uncertainMs = UNCERTAIN_MS }: Options): RefusedWrites {
  const end = new AbortController();
  let isRefused = false;
  let diskFailedAtMs = Number.NEGATIVE_INFINITY;

  async function waitForWrites(): Promise<void> {
    while (!end.signal.aborted) {
      await sleep(TRY_EVERY_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      if (end.signal.aborted || performance.now() - diskFailedAtMs < uncertainMs) continue;
      const isTaken = await tryWrite().then(
        () => true,
        () => false,
      );
      if (!isTaken) continue;
      isRefused = false;
      onWrites?.taken();
      return;
    }
  }
  return {
    isRefused: () => isRefused,
    failed(error) {
      const code = codeOf(error);
      const isOfDisk = code === DISK_FULL || code === IO_ERROR;
      if (!isOfDisk && !isReadOnly(error)) return;
      if (isOfDisk) diskFailedAtMs = performance.now();
      if (isRefused || end.signal.aborted) return;
      isRefused = true;
      onWrites?.refused(error as Error);
      void waitForWrites();
    },
    close: () => end.abort(),
  };
}
