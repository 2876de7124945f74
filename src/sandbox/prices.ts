import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { oneOf } from '../kernel/operations/shapes.ts';
import { refuse, taking } from './taking.ts';

const TICK_MS = 500;
const MAX_SYMBOLS = 2_000;
/** Opening prices of some symbols; others are derived from the name. */
const OPENINGS: Record<string, number> = { EURUSD: 1.0842, GOLD: 2650.4, BTCUSD: 91_250 };

interface Market {
  opened: number;
  price: number;
  /** Whether the price was set through the control, which keeps it constant. */
  isSet: boolean;
}

const MODES = ['ok', 'fail', 'nonsense'] as const;
type Mode = (typeof MODES)[number];
/** A mode, a price of a symbol, or both. */
const Control = Type.Object({
  mode: Type.Optional(oneOf(MODES)),
  symbol: Type.Optional(Type.String({ minLength: 1 })),
  price: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});

/**
 * Adds a ticking price feed: `GET /prices/stream?symbols=EURUSD,GOLD`, server-sent events. Every symbol has a random
 * market; `POST /control/prices {symbol, price}` fixes a price permanently, `{mode}` makes the feed fail or send
 * nonsense.
 */
export function addPrices(app: FastifyInstance): { close(): void } {
  const markets = new Map<string, Market>();
  const streams = new Map<ServerResponse, string[]>();
  let mode: Mode = 'ok';

  function marketOf(symbol: string): Market {
    const remembered = markets.get(symbol);
    if (remembered) return remembered;
    if (markets.size >= MAX_SYMBOLS) markets.clear();
    const opened =
      OPENINGS[symbol] ?? 1 + (createHash('sha256').update(symbol).digest().readUInt32BE() % 100_000) / 100;
    const market = { opened, price: opened, isSet: false };
    markets.set(symbol, market);
    return market;
  }

  function lineOf(symbol: string): string {
    const { opened, price } = marketOf(symbol);
    const change = Number((price - opened).toFixed(4));
    const changePercent = Number(((change / opened) * 100).toFixed(2));
    return `data: ${JSON.stringify({ symbol, price, change, changePercent })}\n\n`;
  }

  const sendPrices = (stream: ServerResponse, symbols: string[]) =>
    stream.write(mode === 'nonsense' ? 'data: {"symbol":\n\n: hm\n\n' : symbols.map(lineOf).join(''));

  const ticking = setInterval(() => {
    for (const market of markets.values())
      if (!market.isSet) market.price = Number((market.price * (1 + (Math.random() - 0.5) / 500)).toFixed(4));
    for (const [stream, symbols] of streams) sendPrices(stream, symbols);
  }, TICK_MS).unref();

  app.get<{ Querystring: { symbols?: string } }>('/prices/stream', (request, reply) => {
    if (mode === 'fail') return reply.code(503).send('failing on request');
    reply.hijack();
    const stream = reply.raw;
    const symbols = (request.query.symbols ?? '').split(',').filter(Boolean).slice(0, MAX_SYMBOLS);
    stream.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    streams.set(stream, symbols);
    stream.on('close', () => streams.delete(stream));
    sendPrices(stream, symbols);
    return reply;
  });
  function fix(symbol: string, price: number): void {
    Object.assign(marketOf(symbol), { price, isSet: true });
    for (const [stream, symbols] of streams) if (symbols.includes(symbol)) sendPrices(stream, [symbol]);
  }
  app.post(
    '/control/prices',
    taking(Control, ({ body }, reply) => {
      if ((body.symbol === undefined) !== (body.price === undefined))
        return refuse(reply, 422, '"symbol" and "price" go together.');
      if (body.mode) mode = body.mode;
      if (body.mode === 'fail') for (const stream of streams.keys()) stream.destroy();
      if (body.symbol !== undefined && body.price !== undefined) fix(body.symbol, body.price);
      return { mode, streams: streams.size };
    }),
  );
  return {
    close: () => {
      clearInterval(ticking);
      for (const stream of streams.keys()) stream.destroy();
    },
  };
}
