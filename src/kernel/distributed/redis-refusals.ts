import { setTimeout as sleep } from 'node:timers/promises';

/** Consecutive refusals of a server after which it counts as one that takes no writes. */
const MAX_REFUSALS = 3;
const TRY_EVERY_MS = 1_000;
/** Errors of slots that move, and of servers that start. */
const OTHER_ERRORS = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|MASTERDOWN)\b/;

interface RefusalOptions {
  /** Called when a server begins to refuse all writes. */
  onRefused: (error: Error) => void;
  /** Called when all servers take writes again. */
  onTaken: () => void;
  /** The URLs of the servers that have slots now. */
  primaries: () => string[];
  /** Tries to write to the server that has this key. */
  tryWrite: (key: string) => Promise<unknown>;
}

interface Refusing {
  /** A key that the server has. */
  key: string;
  count: number;
}

/**
 * Notices servers that answer and refuse what is written, such as a full one that evicts nothing or a read-only replica:
 * their connections are sound, and reads succeed. Tries again each second until they take a write, so that a process
 * without requests notices, too.
 */
export function refusalsOf({ onRefused, onTaken, primaries, tryWrite }: RefusalOptions) {
  /** By the URL of the server. */
  const servers = new Map<string, Refusing>();
  const end = new AbortController();
  let isTrying = false;
  const refusing = (): Refusing[] => [...servers.values()].filter(({ count }) => count >= MAX_REFUSALS);

  function taken(server: string): void {
    const wasRefusing = refusing().length > 0;
    if (servers.delete(server) && wasRefusing && refusing().length === 0) onTaken();
  }
  function failed(server: string, key: string, error: Error): void {
    // All but replies are errors of the connection.
    if (error.name !== 'ReplyError' || OTHER_ERRORS.test(error.message)) return;
    const count = (servers.get(server)?.count ?? 0) + 1;
    servers.set(server, { key, count });
    if (count !== MAX_REFUSALS) return;
    onRefused(new Error(`the server refuses what is written: ${error.message}`));
    if (!isTrying) void keepTrying();
  }
  async function keepTrying(): Promise<void> {
    isTrying = true;
    while (!end.signal.aborted && refusing().length > 0) {
      await sleep(TRY_EVERY_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined);
      if (end.signal.aborted) return;
      const present = primaries();
      for (const server of servers.keys()) if (!present.includes(server)) taken(server);
      await Promise.all(refusing().map(({ key }) => tryWrite(key).catch(() => undefined)));
    }
    isTrying = false;
  }
  return {
    taken,
    failed,
    isRefused: (): boolean => refusing().length > 0,
    close: (): void => end.abort(),
  };
}
