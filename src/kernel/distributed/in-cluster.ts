// Processes of one machine that one process supervises (`node:cluster`) share a bus and counters through it, without Redis.
import { EventEmitter } from 'node:events';
import type { Clock } from '../time/time.ts';
import type { Bus } from './bus.ts';
import type { Cache } from './cache.ts';
import { inProcessCache } from './in-process.ts';

/** The messages between a process and its supervisor. */
type LinkMessage =
  | { kind: 'publish'; channel: string; message: string }
  | { kind: 'call'; id: number; method: string; args: unknown[] }
  | { kind: 'answer'; id: number; value?: unknown; error?: string };

/** One end of the channel between a process and its supervisor. */
export interface Link {
  send(message: unknown): void;
  onMessage(receive: (message: unknown) => void): void;
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/** A supervisor that is frozen is not waited for longer. */
const ANSWER_MS = 1_000;
/** Longer than reading a metric may take; the supervisor waits for each process, and is itself waited for. */
const METRICS_MS = 5_000;

/** Calls methods at the other end, and answers its calls; passes on what is published. */
function endOf({ send, onMessage }: Link, methods: Methods, onPublish: (one: LinkMessage) => void) {
  const waiting = new Map<number, (answer: LinkMessage & { kind: 'answer' }) => void>();
  let lastId = 0;
  async function answer({ id, method, args }: LinkMessage & { kind: 'call' }): Promise<void> {
    try {
      send({ kind: 'answer', id, value: await methods[method]?.(...(args as never[])) });
    } catch (error) {
      send({ kind: 'answer', id, error: (error as Error).message });
    }
  }
  onMessage((given) => {
    const message = given as LinkMessage;
    if (message.kind === 'publish') onPublish(message);
    else if (message.kind === 'call') void answer(message);
    else if (message.kind === 'answer') waiting.get(message.id)?.(message);
  });
  return {
    publish: (channel: string, message: string): void => send({ kind: 'publish', channel, message }),
    /** @throws when the other end fails or does not answer in time */
    call: <T>(method: string, args: unknown[], withinMs = ANSWER_MS): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const id = ++lastId;
        const settle = (): void => {
          clearTimeout(timer);
          waiting.delete(id);
        };
        const timer = setTimeout(() => {
          settle();
          reject(new Error(`${method} was not answered in ${withinMs} ms`));
        }, withinMs);
        waiting.set(id, ({ value, error }) => {
          settle();
          if (error === undefined) resolve(value as T);
          else reject(new Error(error));
        });
        send({ kind: 'call', id, method, args });
      }),
  };
}

/** What a process shares with its siblings. */
export interface Siblings {
  bus: Bus;
  cache: Cache;
  /** Returns a reader of the metrics of all siblings in one text, given that of this process alone. */
  shareMetrics(own: () => Promise<string>): () => Promise<string>;
}

/** Joins the siblings of a process through its supervisor. */
export function siblingsOf(link: Link): Siblings {
  const emitter = new EventEmitter().setMaxListeners(0);
  let own = async (): Promise<string> => '';
  const end = endOf(link, { metrics: () => own() }, (one) => {
    if (one.kind === 'publish') emitter.emit(one.channel, one.message);
  });
  return {
    bus: {
      isShared: true,
      publish: async (channel, message) => {
        setImmediate(() => emitter.emit(channel, message));
        end.publish(channel, message);
      },
      subscribe: async (channel, receive) => {
        emitter.on(channel, receive);
        return async () => void emitter.off(channel, receive);
      },
      isConnected: () => true,
      onReconnect: () => undefined,
      close: async () => void emitter.removeAllListeners(),
    },
    cache: {
      get: async (key) => (await end.call<string | null>('get', [key])) ?? undefined,
      set: (key, value, ttlMs) => end.call('set', [key, value, ttlMs]),
      delete: (key) => end.call('delete', [key]),
      // Between processes an argument that is left out would arrive as null.
      consume: (key, windows, nowMs, count = 1) => end.call('consume', [key, windows, nowMs, count]),
      consumeSliding: (...args) => end.call('consumeSliding', args),
      refund: (...args) => end.call('refund', args),
      isConnected: () => true,
      close: async () => undefined,
    },
    shareMetrics: (read) => {
      own = read;
      return async () =>
        mergeMetrics(await end.call<Record<string, string>>('allMetrics', [], 2 * METRICS_MS));
    },
  };
}

/** Connects processes: passes on what each publishes, and counts for all. Their ends are added as they start. */
export function clusterHub(clock: Clock) {
  const cache = inProcessCache(clock);
  const ends = new Map<string, ReturnType<typeof endOf>>();
  const allMetrics = async (): Promise<Record<string, string>> => {
    // One that is ending or frozen is left out, as a target that cannot be scraped.
    const read = [...ends].map(
      async ([name, end]) => [name, await end.call<string>('metrics', [], METRICS_MS)] as const,
    );
    const settled = await Promise.allSettled(read);
    return Object.fromEntries(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  };
  return {
    /** @returns a function that removes the process */
    add(name: string, link: Link): () => void {
      const { get, set, delete: remove, consume, consumeSliding, refund } = cache;
      const methods = { get, set, delete: remove, consume, consumeSliding, refund, allMetrics };
      const end = endOf(link, methods as Methods, (one) => {
        if (one.kind !== 'publish') return;
        for (const [other, { publish }] of ends) if (other !== name) publish(one.channel, one.message);
      });
      ends.set(name, end);
      return () => {
        if (ends.get(name) === end) ends.delete(name);
      };
    },
  };
}

/** Merges texts in Prometheus' format; each sample is labelled with the process that it is from. */
export function mergeMetrics(texts: Record<string, string>): string {
  const blocks = new Map<string, { head: string[]; samples: string[] }>();
  for (const [process, text] of Object.entries(texts)) {
    let block: { head: string[]; samples: string[] } | undefined;
    let isNew = false;
    for (const line of text.split('\n')) {
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        isNew = !blocks.has(name);
        if (isNew) blocks.set(name, { head: [], samples: [] });
        block = blocks.get(name);
      }
      if (line.startsWith('#')) isNew && block?.head.push(line);
      else if (line !== '') block?.samples.push(labelled(line, process));
    }
  }
  return [...blocks.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('\n');
}

const labelled = (sample: string, process: string): string =>
  sample.replace(/^([\w:]+)(?:\{(\}?))?/, (all, name: string, empty?: string) => {
    if (!all.includes('{')) return `${name}{process="${process}"}`;
    return empty ? `${name}{process="${process}"}` : `${name}{process="${process}",`;
  });
