import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, api, polling } from './api.ts';

/** Something read from the platform: old data stays until new data has come. */
export interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads it again, as after a write. */
  reload: () => void;
}

type Load<Data> = (api: Api, signal: AbortSignal) => PromiseLike<Data>;

/**
 * Reads from the platform when the key changes and, with `pollMs`, from time to time while the page is visible. A late
 * answer to a former key is dropped.
 */
export function useQuery<Data>(
  key: string,
  load: Load<Data>,
  { pollMs }: { pollMs?: number } = {},
): Query<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: unknown }>({ key: '' });
  const [isLoading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const stopped = new AbortController();
    const read = async (by: Api) => {
      setLoading(true);
      try {
        const data = await latest.current(by, stopped.signal);
        if (!stopped.signal.aborted) setState({ key, data });
      } catch (error) {
        if (!stopped.signal.aborted) setState((former) => ({ ...former, key, error }));
      }
      if (!stopped.signal.aborted) setLoading(false);
    };
    void read(api);
    const poll = () => document.hidden || void read(polling);
    const timer = pollMs === undefined ? undefined : setInterval(poll, pollMs);
    return () => {
      stopped.abort();
      clearInterval(timer);
    };
  }, [key, turn, pollMs]);

  return { data: state.data, error: state.error, isLoading, reload: () => setTurn((before) => before + 1) };
}
