import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { semaphore } from '../../kernel/concurrency/semaphore.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { type BackOff, neverBackOff } from '../../kernel/messaging/back-off.ts';
import type { Streamed, Success } from '../../kernel/operations/operation.ts';
import { enclose } from './envelope.ts';

/** Maximum number of streamed responses that a process sends at the same time. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 16;
/**
 * Total time for which a response may have waited for its reader when another one needs its turn. A reader that accepts
 * no data is disconnected anyway; this limit is for readers that accept a little from time to time.
 */
const MAX_READER_MS = 60_000;
/** How long a response waits for its turn before it is refused; those before it may take minutes. */
const MAX_WAIT_MS = 5_000;

export type SendStream = ReturnType<typeof streaming>;

/**
 * Streams responses: a few at once, piece by piece as their clients read them, and more slowly while other requests
 * keep the process busy. A failure before the first piece is answered like any other; a later failure closes the
 * connection, so that clients do not mistake a part for the whole.
 */
export function streaming({
  maxWaitMs = MAX_WAIT_MS,
  maxReaderMs = MAX_READER_MS,
  backOff = neverBackOff,
}: {
  maxWaitMs?: number;
  maxReaderMs?: number;
  backOff?: BackOff;
} = {}) {
  const sending = new Map<Readable, Pace>();

  /** Ends the response that has waited longest for its reader, if that exceeds the limit and all turns are taken. */
  function endSlowest(): void {
    if (sending.size < MAX_AT_ONCE) return;
    const byTime = [...sending].sort(([, left], [, right]) => readerMs(right) - readerMs(left));
    const [stream, pace] = byTime[0] as [Readable, Pace];
    if (readerMs(pace) > maxReaderMs)
      stream.destroy(new Error('the reader is too slow while other responses wait'));
  }

  const takeTurn = semaphore(MAX_AT_ONCE, MAX_WAITING, serviceUnavailable);
  return async (
    reply: FastifyReply,
    { body }: Streamed,
    expected: Success<unknown>,
    now: number,
  ): Promise<FastifyReply> => {
    const envelope = enclose(expected, expected.status, expected.message, {}, now);
    const pieces = await afterFirst(body.kind === 'text' ? body.chunks : listEnvelope(envelope, body));
    endSlowest();
    const endTurn = await takeTurn(AbortSignal.timeout(maxWaitMs)).catch(async (error) => {
      await pieces.return();
      throw error;
    });
    const disconnected = new AbortController();
    const pace: Pace = { readerMs: 0, readingSinceMs: undefined };
    const stream = Readable.from(withPauses(pieces, backOff(disconnected.signal), pace));
    sending.set(stream, pace);
    stream.once('close', () => {
      sending.delete(stream);
      disconnected.abort();
      endTurn();
    });
    reply.code(expected.status);
    if (body.kind === 'text') {
      reply.header('content-type', body.contentType);
      reply.header('content-disposition', `attachment; filename="${body.fileName}"`);
    } else reply.header('content-type', 'application/json; charset=utf-8');
    return reply.send(stream);
  };
}

/** How long a response has waited for its reader. */
interface Pace {
  readerMs: number;
  /** Undefined while the next piece is being made. */
  readingSinceMs: number | undefined;
}

const readerMs = (pace: Pace): number =>
  pace.readerMs + (pace.readingSinceMs === undefined ? 0 : performance.now() - pace.readingSinceMs);

/** Yields the pieces, and lets other work run after each. */
async function* withPauses(
  pieces: AsyncIterable<string>,
  pause: ReturnType<BackOff>,
  pace: Pace,
): AsyncGenerator<string> {
  let startedMs = performance.now();
  for await (const piece of pieces) {
    const takenMs = performance.now() - startedMs;
    pace.readingSinceMs = performance.now();
    yield piece;
    pace.readerMs = readerMs(pace);
    pace.readingSinceMs = undefined;
    await nextTurn();
    await pause(takenMs);
    startedMs = performance.now();
  }
}

/** Returns the same pieces after waiting for the first one, whose failure is thrown. */
async function afterFirst(pieces: AsyncIterable<string>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<string> | undefined = await iterator.next();
  const rest = {
    next: async (): Promise<IteratorResult<string>> => {
      const next = first ?? (await iterator.next());
      first = undefined;
      return next;
    },
    return: async (): Promise<IteratorResult<string>> =>
      (await iterator.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => rest,
  };
  return rest;
}

type ListBody = Extract<Streamed['body'], { kind: 'list' }>;

/** Yields the envelope with the list in its data, piece by piece. */
async function* listEnvelope(
  envelope: ReturnType<typeof enclose>,
  { head, field, items }: ListBody,
): AsyncGenerator<string> {
  const whole = JSON.stringify({ ...envelope, data: { ...head, [field]: [] } });
  const place = whole.lastIndexOf(`${JSON.stringify(field)}:[]`) + JSON.stringify(field).length + 2;
  yield whole.slice(0, place);
  let separator = '';
  for await (const some of items) {
    if (some.length === 0) continue;
    yield separator + some.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield whole.slice(place);
}
