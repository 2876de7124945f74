import { isPlatformError } from '@platform-api/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, answeredAt, api, now, polling, writes } from './api.ts';
import { session } from './session.ts';
import { store, useStore } from './store.ts';

/** Something read from the platform: old data stays until new data has come. */
export interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads it again, as after a write. */
  reload: () => void;
}

/** Rows that came with something else, as if they had been read by themselves. */
export const readRows = <Row>(items: Row[]): Query<{ items: Row[] }> => ({
  data: { items },
  error: undefined,
  isLoading: false,
  reload: () => undefined,
});

type Load<Data> = (api: Api, signal: AbortSignal) => PromiseLike<Data>;

/**
 * How many dialogs are open. Meanwhile nothing is read again, so that the row that a dialog is about stays below it, and
 * what was typed with it.
 */
export const openDialogs = store(0);

/** After a failure it is read again: when the platform says so, else after this time. */
const AGAIN_MS = 15_000;

/** In how many milliseconds a failed reading is worth repeating; undefined if it would fail again. */
export function pauseAfter(error: unknown): number | undefined {
  if (!isPlatformError(error)) return undefined;
  const { status, retryAfter } = error;
  if (status !== 0 && status !== 429 && status < 500) return undefined;
  return retryAfter === undefined ? AGAIN_MS : retryAfter * 1000;
}

/** Whether what was asked for does not exist, or not any longer. */
export const isMissing = (error: unknown): boolean => isPlatformError(error) && error.status === 404;

/**
 * Reads from the platform when the key changes, after every write, when somebody has signed in again and, with `pollMs`,
 * from time to time while the page is visible and no dialog is open. A late answer to a former key is dropped.
 */
export function useQuery<Data>(
  key: string,
  load: Load<Data>,
  { pollMs }: { pollMs?: number } = {},
): Query<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: unknown }>({ key: '' });
  const [isLoading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const written = useStore(writes);
  const isSignedIn = useStore(session).state === 'signed-in';
  const lastTurn = useRef(turn);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    if (!isSignedIn) return;
    const stopped = new AbortController();
    const { signal } = stopped;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMissed = false;
    const readLater = (afterMs: number | undefined) => {
      if (afterMs !== undefined) timer = setTimeout(() => void readVisible(), afterMs);
    };
    const read = async (by: Api) => {
      clearTimeout(timer);
      isMissed = false;
      setLoading(true);
      let pauseMs = pollMs;
      try {
        const data = await latest.current(by, signal);
        if (signal.aborted) return;
        setState({ key, data });
        answeredAt.set(now());
      } catch (error) {
        if (signal.aborted) return;
        // What is gone is not shown any longer.
        setState((former) => (isMissing(error) ? { key, error } : { ...former, key, error }));
        pauseMs = pauseAfter(error) ?? pollMs;
      }
      setLoading(false);
      readLater(pauseMs);
    };
    const readVisible = async () => {
      isMissed = document.hidden || openDialogs.get() > 0;
      if (!isMissed) await read(polling);
    };
    const show = () => {
      if (isMissed) void readVisible();
    };
    document.addEventListener('visibilitychange', show);
    const unfollow = openDialogs.subscribe(show);
    const isAsked = state.key !== key || lastTurn.current !== turn;
    lastTurn.current = turn;
    isMissed = !isAsked && openDialogs.get() > 0;
    if (!isMissed) void read(api);
    return () => {
      stopped.abort();
      clearTimeout(timer);
      unfollow();
      document.removeEventListener('visibilitychange', show);
    };
  }, [key, turn, written, isSignedIn, pollMs]);

  return {
    data: state.data,
    error: state.error,
    // What is shown for a new key is still of the former one before its reading has even begun.
    isLoading: isLoading || state.key !== key,
    reload: () => setTurn((before) => before + 1),
  };
}
