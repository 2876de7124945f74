import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Streamed, Success } from '../../kernel/operations/operation.ts';
import { enclose } from './envelope.ts';

/**
 * Streams a response. A failure before its first piece is answered as any other; one midway closes the connection, so
 * that clients do not mistake a part for the whole.
 */
export async function sendStream(
  reply: FastifyReply,
  { body }: Streamed,
  expected: Success<unknown>,
  now: number,
): Promise<FastifyReply> {
  if (body.kind === 'text') {
    const pieces = await begun(body.chunks);
    reply.code(expected.status);
    reply.header('content-type', body.contentType);
    reply.header('content-disposition', `attachment; filename="${body.fileName}"`);
    return reply.send(Readable.from(pieces));
  }
  reply.code(expected.status);
  const envelope = enclose(expected, expected.status, expected.message, {}, now);
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(Readable.from(listEnvelope(envelope, body)));
}

/** Returns the same pieces once the first of them is there. */
async function begun(pieces: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<string> | undefined = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const next = first ?? (await iterator.next());
        first = undefined;
        return next;
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
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
