import { connect } from 'node:net';
import type { Envelope } from './answer.ts';
import { seeded } from './chance.ts';
import { type ApiDescription, type OperationObject, placeIn, type Reference } from './descriptions.ts';

/** An operation as an attacker knows it from the public description. */
interface Target {
  method: string;
  path: string;
  fields: string[];
  queries: string[];
}

/** A request as bytes, and what is hostile about it. */
interface HostileRequest {
  what: string;
  bytes: Buffer;
}

export interface HostileAnswer {
  what: string;
  status: number;
  /** Why a client could not understand the response; undefined if it could. */
  fault: string | undefined;
}

/** Reads the operations from the public description. */
export async function targetsOf(url: string): Promise<Target[]> {
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDescription;
  const resolved = <Value extends Reference>(one: Value): Value =>
    one.$ref === undefined ? one : (placeIn(description, one.$ref) as Value);
  const fieldsOf = ({ requestBody }: OperationObject): string[] => {
    const schema = requestBody?.content['application/json']?.schema;
    return Object.keys((schema && resolved(schema).properties) ?? {});
  };
  return Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      fields: fieldsOf(operation),
      queries: operation.parameters
        .map(resolved)
        .filter((one) => one.in === 'query')
        .map(({ name }) => name),
    })),
  );
}

const KIB = 1024;
const TEXTS = [
  '',
  ' ',
  '\u202e',
  '💥'.repeat(50),
  "' or 1=1 --",
  '../../etc/passwd',
  '{{7*7}}',
  '$where',
  '\\',
  '"',
  'eyJ'.repeat(5_000),
  'a'.repeat(60_000),
  '\u200b',
  'f'.repeat(24),
  'x'.repeat(24),
  '1e999',
  'null',
  'true',
  '2026-02-30',
  '2026-11-21T09:30:00Z',
  'a@b.test',
  '<a@b.test>',
  'http://[',
  'javascript:alert(1)',
  '%s%s%n',
];
const JSON_TEXTS = [
  '1',
  '-1',
  '0',
  '1e308',
  '1e999',
  '9007199254740993',
  '0.1',
  'true',
  'null',
  '[]',
  '{}',
  '"\\ud800"',
  '"\\u0000"',
  `[${'1,'.repeat(30_000)}1]`,
  `[${'{},'.repeat(15_000)}{}]`,
  `${'['.repeat(30)}${']'.repeat(30)}`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"__proto__":{}}`,
  `{${'"a":1,'.repeat(5_000)}"b":2}`,
  `"${'pk_development_'.repeat(2_000)}"`,
  `{"constructor":{"prototype":1}}`,
  '[[[[{"a":[null]}]]]]',
];
const SEGMENTS = [
  'x',
  'f'.repeat(24),
  '0'.repeat(24),
  '%00',
  '%2f',
  '..%2f..',
  '%F0%9F%98%80',
  '%E0%A4%A',
  'a'.repeat(2_000),
  "'%20or%201=1",
  '%ff',
  '*',
  ':',
  '%25',
  'eyJ'.repeat(500),
  '-1',
  'null',
  '\u00e9',
  '..',
  '.',
  '',
];
const QUERIES = [
  '',
  '%',
  '%ff',
  '%00',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'x',
  'eyJ'.repeat(1_000),
  "'",
];
const HEADERS = [
  'authorization: Bearer x',
  'authorization: Basic eA==',
  `authorization: Bearer ${'eyJ'.repeat(4_000)}`,
  'authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
  `authorization: ${' '.repeat(9_000)}x`,
  'x-api-key: x',
  `x-api-key: pk_development_${'a'.repeat(9_000)}`,
  `cookie: ${'token=eyJ;'.repeat(1_300)}`,
  'idempotency-key: a b',
  `idempotency-key: ${'"'.repeat(300)}`,
  'x-request-id: <script>',
  'origin: null',
  `x-forwarded-for: ${'1.1.1.1,'.repeat(1_000)}`,
  `accept-encoding: ${'gzip;q=0.1,'.repeat(900)}`,
  'expect: x',
  `if-none-match: ${'"a",'.repeat(2_000)}`,
  'content-encoding: gzip',
  'connection: upgrade\r\nupgrade: h2c',
  'x\u0000: y',
  'transfer-encoding: gzip',
  'host: evil.test',
  `x: ${'a'.repeat(17 * KIB)}`,
  ': nothing',
];
const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  `application/json;${' '.repeat(5_000)}charset`,
  'application/x-www-form-urlencoded',
  '/',
];

/**
 * An endless sequence of hostile requests, which is the same for the same seed.
 * @param callers sets of header lines that are good by themselves: nobody, a key, a member, an administrator
 */
export function* hostileRequests(
  seed: number,
  targets: Target[],
  callers: string[][],
): Generator<HostileRequest, never> {
  const { pick: one, happens: chance } = seeded(seed);

  const bodies: (() => Buffer)[] = [
    () => Buffer.from(one(JSON_TEXTS)),
    () => Buffer.from(`{"x":${one(JSON_TEXTS)}`),
    () => Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]),
    () => Buffer.from(`{"userIds":[${'1,'.repeat(450_000)}1]}`),
    () => Buffer.alloc(70 * KIB, '['),
  ];
  const bodyFor = ({ fields }: Target): Buffer => {
    if (chance(0.3)) return one(bodies)();
    const members = fields.map((name) => {
      const value = chance(0.5) ? JSON.stringify(one(TEXTS)) : one(JSON_TEXTS);
      return `${JSON.stringify(name)}:${value}`;
    });
    return Buffer.from(`{${members.join(',')}}`);
  };
  const pathFor = ({ path, queries }: Target): string => {
    const filled = chance(0.05)
      ? `/v1/${one(SEGMENTS)}/${one(SEGMENTS)}`
      : path.replaceAll(/\{\w+\}/g, () => one(SEGMENTS));
    const parameters = queries.filter(() => chance(0.4)).map((name) => `${name}=${one(QUERIES)}`);
    if (chance(0.05)) parameters.push(...Array.from({ length: 300 }, (_, place) => `limit=${place}`));
    if (chance(0.05)) parameters.push(`token=${'eyJ'.repeat(1_000)}`);
    return parameters.length > 0 ? `${filled}?${parameters.join('&')}` : filled;
  };

  for (;;) {
    const target = one(targets);
    const method = chance(0.05) ? one(['TRACE', 'PROPFIND', 'OPTIONS', 'HEAD', 'PATCH']) : target.method;
    const path = pathFor(target);
    const body = method === 'GET' && chance(0.9) ? Buffer.alloc(0) : bodyFor(target);
    const extra = chance(0.3) ? [one(HEADERS)] : [];
    const isChunked = chance(0.1);
    const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    const lines = [
      'host: hostile',
      'connection: close',
      ...one(callers),
      `content-type: ${one(TYPES)}`,
      length,
      ...extra,
    ];
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    const sent = isChunked ? chunked(body) : body;
    yield {
      what: `${method} ${path.slice(0, 80)} ${extra[0]?.slice(0, 60) ?? ''}`,
      bytes: Buffer.concat([head, sent]),
    };
  }
}

const chunked = (body: Buffer): Buffer =>
  body.length === 0
    ? Buffer.from('0\r\n\r\n')
    : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);

/** Sends a request on a connection of its own, and reads until the server closes it. */
export function sendHostile(url: string, { what, bytes }: HostileRequest): Promise<HostileAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    // If the server responds before the whole request was sent, the connection is reset; the response still counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answerOf(what, Buffer.concat(chunks).toString('utf8'))));
  });
}

function answerOf(what: string, text: string): HostileAnswer {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  return { what, status, fault: faultOf(status, head, text.slice(head.length + 4), what) };
}

function faultOf(status: number, head: string, body: string, what: string): string | undefined {
  if (status === 0) return 'no answer';
  if (status >= 500) return `a ${status}: ${body.slice(0, 300)}`;
  if (status === 204 || status === 304 || what.startsWith('HEAD ')) return undefined;
  if (!/content-type: application\/json/i.test(head))
    return status === 302 || status === 200 ? undefined : `no JSON: ${head}`;
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  let envelope: Envelope;
  try {
    envelope = JSON.parse(json);
  } catch {
    // A compressed body, which the request had asked for, is not checked.
    return /content-encoding/i.test(head) ? undefined : `no envelope: ${body.slice(0, 200)}`;
  }
  if (status < 400) return envelope.success === true ? undefined : 'success that does not say so';
  const isWhole =
    envelope.success === false &&
    envelope.status === status &&
    /^[A-Z][A-Z0-9_]*$/.test(envelope.error ?? '') &&
    /^[0-9a-f-]{36}$/.test(envelope.errorId ?? '') &&
    envelope.meta?.errorId === envelope.errorId;
  return isWhole && body.length < 100 * KIB ? undefined : `no envelope, or a long one: ${body.slice(0, 300)}`;
}
