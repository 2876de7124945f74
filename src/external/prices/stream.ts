import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenPriceFeed, Price } from './port.ts';

interface StreamOptions {
  /** Responds to `GET ?symbols=A,B` with server-sent events of one price each. */
  url: string;
  apiKey?: string | undefined;
  onError: (error: Error) => void;
}

/** Symbols are often added together; the delay lets one connection serve all of them. */
const SETTLE_MS = 100;
/** A feed that is silent for this long, without even a comment, is considered dead. */
const SILENCE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const MAX_LINE = 64 * 1024;

/**
 * Returns a price feed over HTTP, as server-sent events. It reconnects whenever the stream ends, with growing pauses.
 */
export function streamedPrices({ url, apiKey, onError }: StreamOptions): OpenPriceFeed {
  return (onPrice) => {
    let wanted: string[] = [];
    let current: AbortController | undefined;
    let settling: NodeJS.Timeout | undefined;
    let isOver = false;

    async function readOnce(symbols: string[], signal: AbortController): Promise<void> {
      const address = new URL(url);
      address.searchParams.set('symbols', symbols.join());
      const silence = setTimeout(() => signal.abort(new Error('silent')), SILENCE_MS).unref();
      try {
        const response = await fetch(address, {
          headers: {
            accept: 'text/event-stream',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          redirect: 'error',
          signal: signal.signal,
        });
        if (response.status !== 200) throw new Error(`the price feed answered ${response.status}`);
        for await (const line of linesOf(response)) {
          silence.refresh();
          const price = priceOf(line);
          if (price) onPrice(price);
        }
      } finally {
        clearTimeout(silence);
      }
    }

    async function keepReading(symbols: string[]): Promise<void> {
      const signal = new AbortController();
      current = signal;
      for (let pauseMs = FIRST_PAUSE_MS; !isOver && current === signal; ) {
        const startedMs = performance.now();
        try {
          await readOnce(symbols, signal);
        } catch (error) {
          if (isOver || current !== signal) return;
          onError(error as Error);
        }
        if (performance.now() - startedMs > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
        await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { ref: false });
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      }
    }

    return {
      watch(symbols) {
        wanted = symbols;
        clearTimeout(settling);
        settling = setTimeout(() => {
          current?.abort();
          current = undefined;
          if (wanted.length > 0) void keepReading(wanted);
        }, SETTLE_MS).unref();
      },
      close() {
        isOver = true;
        clearTimeout(settling);
        current?.abort();
      },
    };
  };
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new Error('the price feed sent a line that does not end');
    yield* lines;
  }
}

/** Returns the price of a line; undefined for comments, other fields and malformed data. */
function priceOf(line: string): Price | undefined {
  if (!line.startsWith('data:')) return undefined;
  try {
    const { symbol, price, change, changePercent } = JSON.parse(line.slice(5)) as Record<string, unknown>;
    const isOne = typeof symbol === 'string' && [price, change, changePercent].every(Number.isFinite);
    return isOne ? ({ symbol, price, change, changePercent } as Price) : undefined;
  } catch {
    return undefined;
  }
}
