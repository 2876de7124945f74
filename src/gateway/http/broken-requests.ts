import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Failure, failure } from '../../kernel/failures.ts';
import { encloseFailure } from './envelope.ts';
import { malformedRequest } from './failures.ts';

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** Maximum size of the request line and all headers together. */
export const MAX_HEADER_KIBIBYTES = 16;

export const headersTooLarge = failure(
  431,
  'HEADERS_TOO_LARGE',
  `The request line and headers are larger than ${MAX_HEADER_KIBIBYTES} KiB`,
);
export const requestTimeout = failure(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive');
export const expectationFailed = failure(
  417,
  'EXPECTATION_FAILED',
  'The only supported Expect value is 100-continue',
);

function failureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Failure(413, 'PAYLOAD_TOO_LARGE', 'Chunk extensions are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return malformedRequest();
}

/** What each response carries. */
interface Surroundings {
  common: Record<string, string>;
  nowMs: number;
}

/** Responds, in the envelope, to bytes that do not parse as an HTTP request. */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { common, nowMs }: Surroundings,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answered = failureOf(error.code);
  const body = JSON.stringify(encloseFailure(answered, nowMs));
  const headers = {
    ...common,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answered.status} ${REASONS[answered.status]}\r\n${head.join('')}\r\n${body}`);
}

/** Responds to an `Expect` other than `100-continue`; Node's own response has no body. */
export function answerExpectation(response: ServerResponse, { common, nowMs }: Surroundings): void {
  const answered = expectationFailed();
  const body = JSON.stringify(encloseFailure(answered, nowMs));
  const headers = { ...common, 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  response.writeHead(answered.status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
