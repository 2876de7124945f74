import { setTimeout as sleep } from 'node:timers/promises';
import type { Price } from './port.ts';

export interface StreamOptions {
  /** Responds to `GET ?symbols=A,B` with server-sent events of one price each. */
  url: string;
  apiKey?: string | undefined;
  onError: (error: Error) => void;
}

interface StreamHandlers {
  onPrice: (price: Price) => void;
  /** Called at the end of each attempt to open the stream, with whether it succeeded. */
  onTried: (isOpen: boolean) => void;
}

/** A feed that is silent for this long, without even a comment, is considered dead. */
const SILENCE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const MAX_LINE = 64 * 1024;

/**
 * Reads the prices of some symbols from one stream until it is stopped. It reconnects whenever the stream ends, with
 * growing pauses.
 */
export function priceStream(
  { url, apiKey, onError }: StreamOptions,
  symbols: string[],
  { onPrice, onTried }: StreamHandlers,
): { stop(): void } {
  const address = new URL(url);
  address.searchParams.set('symbols', symbols.join());
  const stopping = new AbortController();

  async function readOnce(): Promise<void> {
    const silent = new AbortController();
    const silence = setTimeout(() => silent.abort(new Error('silent')), SILENCE_MS).unref();
    try {
      const response = await fetch(address, {
        headers: {
          accept: 'text/event-stream',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        redirect: 'error',
        signal: AbortSignal.any([stopping.signal, silent.signal]),
      });
      if (response.status !== 200) throw new Error(`the price feed answered ${response.status}`);
      onTried(true);
      for await (const line of linesOf(response)) {
        silence.refresh();
        const price = priceOf(line);
        if (price) onPrice(price);
      }
    } finally {
      clearTimeout(silence);
      // Also what is not read, as of a refusal, which would stay open.
      silent.abort();
    }
  }

  async function keepReading(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; ) {
      const startedMs = performance.now();
      try {
        await readOnce();
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error as Error);
        onTried(false);
      }
      if (performance.now() - startedMs > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { ref: false });
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  }

  void keepReading();
  return { stop: () => stopping.abort() };
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
