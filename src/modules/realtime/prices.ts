import type { OpenPriceFeed, Price } from '../../external/prices/port.ts';
import { textOf } from '../../kernel/live/live.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';
import { marketPrice } from './realtime.live.ts';
import type { SocketWriter } from './socket-writer.ts';

/** Interval at which changed prices are sent. */
const FLUSH_MS = 250;
/** Clients with this much unsent data receive no prices until they catch up, and then only the latest. */
const SLOW_BYTES = 64 * 1024;

/**
 * For how long the newest price of a symbol is kept after its last watcher has left: one who returns at once, as after a
 * reload, does so before the feed is asked for other symbols, so that it need not send the price again.
 */
const KEPT_MS = 5_000;
/**
 * Maximum number of distinct symbols that a process watches. More than there are in use: it bounds what is asked of the
 * feed, and takes 25 members who use all that they may.
 */
const MAX_WATCHED = 5_000;

interface PriceDeps {
  openFeed: OpenPriceFeed | undefined;
  outbox: SocketWriter;
}

/** Sends prices to their subscribers: the latest price of each symbol, a few times a second. */
export function priceBoard({ openFeed, outbox }: PriceDeps) {
  const watchers = new Map<string, Set<Connection>>();
  const newest = new Map<string, Buffer>();
  /** When the last watcher of a symbol left whose newest price is still kept, by `performance.now()`. */
  const leftAtMs = new Map<string, number>();
  const changed = new Set<string>();
  const late = new Set<Connection>();
  const feed = openFeed?.(onPrice);
  const ticking = setInterval(flush, FLUSH_MS).unref();

  function onPrice({ symbol, price, change, changePercent }: Price): void {
    if (!watchers.has(symbol) && !leftAtMs.has(symbol)) return;
    const data = { symbol, price, change, changePercent };
    newest.set(symbol, frameOf(textOf(marketPrice(data))));
    changed.add(symbol);
  }

  const isSlow = ({ socket }: Connection): boolean => socket.writableLength > SLOW_BYTES;

  function send(connection: Connection, symbol: string): void {
    const frame = newest.get(symbol);
    if (!frame) return;
    if (isSlow(connection)) {
      connection.stale ??= new Set();
      connection.stale.add(symbol);
      late.add(connection);
    } else outbox.put(connection, frame);
  }

  function flush(): void {
    for (const connection of late) {
      if (isSlow(connection)) continue;
      late.delete(connection);
      const missed = connection.stale ?? [];
      connection.stale = undefined;
      for (const symbol of missed) if (!changed.has(symbol)) send(connection, symbol);
    }
    for (const symbol of changed)
      for (const connection of watchers.get(symbol) ?? []) send(connection, symbol);
    changed.clear();
    dropLeft();
  }

  /** Drops the prices of symbols whose last watcher has left some time ago; those who left first come first. */
  function dropLeft(): void {
    for (const [symbol, ms] of leftAtMs) {
      if (performance.now() - ms < KEPT_MS) break;
      leftAtMs.delete(symbol);
      newest.delete(symbol);
    }
  }

  function unwatch(connection: Connection, symbols: Iterable<string>): void {
    let isLess = false;
    for (const symbol of symbols) {
      connection.symbols?.delete(symbol);
      const all = watchers.get(symbol);
      all?.delete(connection);
      if (all?.size !== 0) continue;
      watchers.delete(symbol);
      leftAtMs.set(symbol, performance.now());
      isLess = true;
    }
    if (isLess) feed?.watch([...watchers.keys()]);
  }

  return {
    isThere: feed !== undefined,
    /** Subscribes to symbols; returns whether there is room for those that nobody has watched yet. */
    watch(connection: Connection, symbols: string[]): boolean {
      const added = new Set(symbols.filter((symbol) => !watchers.has(symbol)));
      if (watchers.size + added.size > MAX_WATCHED) return false;
      connection.symbols ??= new Set();
      for (const symbol of symbols) {
        leftAtMs.delete(symbol);
        connection.symbols.add(symbol);
        watchers.set(symbol, (watchers.get(symbol) ?? new Set()).add(connection));
      }
      if (added.size > 0) feed?.watch([...watchers.keys()]);
      return true;
    },
    /** Sends the latest known prices of symbols. */
    sendNewest(connection: Connection, symbols: string[]): void {
      for (const symbol of symbols) send(connection, symbol);
    },
    unwatch,
    /** Removes a closed connection. */
    forget(connection: Connection): void {
      late.delete(connection);
      unwatch(connection, [...(connection.symbols ?? [])]);
    },
    close(): void {
      clearInterval(ticking);
      feed?.close();
    },
  };
}

export type PriceBoard = ReturnType<typeof priceBoard>;
