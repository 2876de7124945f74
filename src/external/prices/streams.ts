import type { OpenPriceFeed, Price } from './port.ts';
import { priceStream, type StreamOptions } from './stream.ts';

/** Symbols are often added together; the delay lets one request serve all of them. */
const SETTLE_MS = 100;
/** Members change symbols at any time; a feed is asked anew at most once in this time. */
const REOPEN_MS = 1_000;
/** Maximum length of the symbols in an address. Servers accept 8,000 characters and more in all. */
const MAX_QUERY = 4_000;

/** Symbols that are read from one stream. */
interface Group {
  symbols: Set<string>;
  /** The symbols as they were last asked for. */
  asked: string;
  /** Delivers prices, or did last, until the next one is open. */
  current?: { stop(): void } | undefined;
  next?: { stop(): void; hasFailed: boolean } | undefined;
}

/**
 * Returns a price feed over HTTP, as server-sent events. The symbols are divided among streams, so that no address
 * becomes too long; a change reopens only the streams of the symbols concerned, and prices go on meanwhile.
 */
export function streamedPrices(options: StreamOptions): OpenPriceFeed {
  return (onPrice) => {
    const groups = new Set<Group>();
    let wanted: string[] = [];
    let regrouping: NodeJS.Timeout | undefined;
    let regroupedMs = Number.NEGATIVE_INFINITY;
    let isOver = false;

    /** Unlike a delay that each change begins anew, this one ends however many changes follow. */
    function regroupSoon(): void {
      if (regrouping || isOver) return;
      const pauseMs = Math.max(SETTLE_MS, regroupedMs + REOPEN_MS - performance.now());
      regrouping = setTimeout(regroup, pauseMs).unref();
    }

    function regroup(): void {
      regrouping = undefined;
      regroupedMs = performance.now();
      divide(groups, wanted);
      for (const group of groups)
        if (group.symbols.size === 0) end(group);
        else if (isOutdated(group) && isReplaceable(group)) reopen(group, options, onPrice, regroupSoon);
    }

    function end(group: Group): void {
      groups.delete(group);
      group.current?.stop();
      group.next?.stop();
    }

    return {
      watch(symbols) {
        wanted = symbols;
        regroupSoon();
      },
      close() {
        isOver = true;
        clearTimeout(regrouping);
        for (const group of groups) end(group);
      },
    };
  };
}

const keyOf = ({ symbols }: Group): string => [...symbols].join();
const isOutdated = (group: Group): boolean => group.asked !== keyOf(group);
/** A request that is under way is awaited: one that is replaced each time before its answer would never be answered. */
const isReplaceable = ({ next }: Group): boolean => next === undefined || next.hasFailed;

/** Returns at most how many characters a symbol takes in an address, whichever signs are escaped there. */
const lengthOf = (symbol: string): number => `,${symbol}`.replace(/\W/g, '%__').length;
const queryOf = ({ symbols }: Group): number =>
  [...symbols].reduce((length, symbol) => length + lengthOf(symbol), 0);

/** Removes symbols that are no longer wanted from the groups, and adds the new ones where there is room. */
function divide(groups: Set<Group>, wanted: string[]): void {
  const missing = new Set(wanted);
  for (const { symbols } of groups)
    for (const symbol of symbols) if (!missing.delete(symbol)) symbols.delete(symbol);
  const open = [...groups].map((group) => ({ group, room: MAX_QUERY - queryOf(group) }));
  for (const symbol of missing) {
    let place = open.find(({ room }) => room >= lengthOf(symbol));
    if (!place) {
      place = { group: { symbols: new Set(), asked: '' }, room: MAX_QUERY };
      groups.add(place.group);
      open.push(place);
    }
    place.group.symbols.add(symbol);
    place.room -= lengthOf(symbol);
  }
}

/** Opens a stream of the group's symbols, which replaces the current one as soon as it is open. */
function reopen(
  group: Group,
  options: StreamOptions,
  onPrice: (price: Price) => void,
  onSettled: () => void,
): void {
  group.next?.stop();
  group.asked = keyOf(group);
  const onTried = (isOpen: boolean): void => {
    if (group.next !== next) return;
    if (isOpen) {
      group.current?.stop();
      group.current = next;
      group.next = undefined;
    } else next.hasFailed = true;
    if (isOutdated(group)) onSettled();
  };
  const next = { ...priceStream(options, [...group.symbols], { onPrice, onTried }), hasFailed: false };
  group.next = next;
}
