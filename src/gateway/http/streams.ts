import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Streamed, Success } from '../../kernel/operations/operation.ts';
import { enclose } from './envelope.ts';

/** Streams a response. A failure midway closes the connection, so that clients do not mistake a part for the whole. */
export function sendStream(
  reply: FastifyReply,
  { body }: Streamed,
  expected: Success<unknown>,
  now: number,
): FastifyReply {
  reply.code(expected.status);
  if (body.kind === 'text') {
    reply.header('content-type', body.contentType);
    reply.header('content-disposition', `attachment; filename="${body.fileName}"`);
    return reply.send(Readable.from(body.chunks));
  }
  const envelope = enclose(expected, expected.status, expected.message, {}, now);
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(Readable.from(listEnvelope(envelope, body)));
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
