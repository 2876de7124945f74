import { isPlatformError } from '@platform-api/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, answeredAt, api, now, polling, writes } from './api.ts';
import { session } from './session.ts';
import { store, useStore } from './store.ts';

/** The state of a read from the platform. Old data stays until new data has arrived. */
export interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads it again. */
  reload: () => void;
}

/** Wraps rows that came with another response as a finished query. */
export const readRows = <Row>(items: Row[]): Query<{ items: Row[] }> => ({
  data: { items },
  error: undefined,
  isLoading: false,
  reload: () => undefined,
});

type Load<Data> = (api: Api, signal: AbortSignal) => PromiseLike<Data>;

/**
 * How many dialogs are open. While one is, nothing is reloaded: if the row that it belongs to vanished, the dialog and
 * the text typed into it would vanish as well.
 */
export const openDialogs = store(0);

/** The reads of what is on the page. Each returns the error if it fails. */
const reads = new Set<() => Promise<unknown>>();

/** Reads again all that is on the page, also while a dialog is open. Returns a failure after which it is worth another try. */
export async function readAnew(): Promise<unknown> {
  const errors = await Promise.all([...reads].map((read) => read()));
  return errors.find((error) => pauseAfter(error) !== undefined);
}

/** The pause before a failed read is retried, unless the platform names one. */
const RETRY_MS = 15_000;

/** After how many milliseconds to retry a failed read; undefined if it would only fail again. */
export function pauseAfter(error: unknown): number | undefined {
  if (!isPlatformError(error)) return undefined;
  const { status, retryAfter } = error;
  if (status !== 0 && status !== 429 && status < 500) return undefined;
  return retryAfter === undefined ? RETRY_MS : retryAfter * 1000;
}

/** Whether the requested record does not exist (any longer). */
export const isMissing = (error: unknown): boolean => isPlatformError(error) && error.status === 404;

/**
 * Reads from the platform when the key changes, after every write, after signing in again and, with `pollMs`, at
 * intervals while the page is visible and no dialog is open. A late answer for an earlier key is dropped.
 */
export function useQuery<Data>(
  key: string,
  load: Load<Data>,
  { pollMs }: { pollMs?: number } = {},
): Query<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: unknown }>({ key: '' });
  const [isLoading, setLoading] = useState(true);
  const [reloads, setReloads] = useState(0);
  const written = useStore(writes);
  const isSignedIn = useStore(session).state === 'signed-in';
  const lastReloads = useRef(reloads);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    if (!isSignedIn) return;
    const stopped = new AbortController();
    const { signal } = stopped;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    let begun = 0;
    const readLater = (afterMs: number | undefined) => {
      if (afterMs !== undefined) timer = setTimeout(() => void readVisible(), afterMs);
    };
    const read = async (by: Api) => {
      clearTimeout(timer);
      isMissed = false;
      begun += 1;
      const turn = begun;
      // An answer to an earlier question may arrive after that to a later one.
      const isOver = () => signal.aborted || turn !== begun;
      setLoading(true);
      let pauseMs = pollMs;
      let failure: unknown;
      try {
        const data = await latest.current(by, signal);
        if (isOver()) return undefined;
        setState({ key, data });
        answeredAt.set(now());
      } catch (error) {
        if (isOver()) return undefined;
        failure = error;
        // A record that no longer exists must not stay on the page; after other errors the old data stays.
        setState((former) => (isMissing(error) ? { key, error } : { ...former, key, error }));
        pauseMs = pauseAfter(error) ?? pollMs;
      }
      setLoading(false);
      readLater(pauseMs);
      return failure;
    };
    const readVisible = async () => {
      isMissed = document.hidden || openDialogs.get() > 0;
      if (!isMissed) await read(polling);
    };
    const show = () => {
      if (isMissed) void readVisible();
    };
    document.addEventListener('visibilitychange', show);
    const unsubscribe = openDialogs.subscribe(show);
    const isRequested = state.key !== key || lastReloads.current !== reloads;
    lastReloads.current = reloads;
    isMissed = !isRequested && openDialogs.get() > 0;
    const readByPerson = () => read(api);
    reads.add(readByPerson);
    if (!isMissed) void readByPerson();
    return () => {
      reads.delete(readByPerson);
      stopped.abort();
      clearTimeout(timer);
      unsubscribe();
      document.removeEventListener('visibilitychange', show);
    };
  }, [key, reloads, written, isSignedIn, pollMs]);

  return {
    data: state.data,
    error: state.error,
    // The first render after a change of the key still has the data of the earlier key.
    isLoading: isLoading || state.key !== key,
    reload: () => setReloads((before) => before + 1),
  };
}
