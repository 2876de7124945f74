import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { DatabaseUse } from './database-use.ts';
import type { SpanSink } from './span.ts';

/** The context that correlates work across processes: a request, the jobs and events it caused, the calls they made. */
export interface Trace {
  /** 32 hexadecimal characters (W3C Trace Context). */
  traceId: string;
  /** The span id of this request or job, sent to the services that it calls; made on first use. */
  spanId?: string;
  /** The span of the caller, if it sent one. */
  parentId?: string;
  /** The caller's trace flags; `00` when the trace began here. They say what is recorded here, where spans are exported. */
  flags: string;
  requestId?: string;
  /** The queue of the current job. */
  job?: string;
  /** What the request spends on the database; for requests over HTTP alone. */
  databaseUse?: DatabaseUse;
  /** Takes the spans of this request or job, if they are recorded. */
  spans?: SpanSink;
}

/** Decides which traces are recorded. */
export interface Tracing {
  /**
   * Called when a request or a job begins its work within a trace.
   * @param isFromClient whether somebody outside may have chosen the trace
   */
  begin(trace: Trace, isFromClient: boolean): void;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);

/** Parses a `traceparent` header; returns undefined when it is missing or malformed, as the W3C standard requires. */
export function traceFrom(header: unknown): Trace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, parentId, flags, rest] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || traceId === NO_TRACE || parentId === NO_SPAN) return undefined;
  // Version 00 has exactly four fields; a later one may have more, and ff is forbidden.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return { traceId, parentId: parentId as string, flags: flags as string };
}

/**
 * Begins a trace. Its id is made when it is first read, which most requests never do. A UUID has more than the 56 random
 * bits that the standard requires, and is cheap in Node.
 */
export function newTrace(): Trace {
  let id: string | undefined;
  return {
    get traceId() {
      id ??= randomUUID().replaceAll('-', '');
      return id;
    },
    flags: '00',
  };
}

/** Returns 64 random bits from a UUID, which Node takes from a cache of random bytes. */
export function newSpanId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
}

/** Returns the span id of this request or job. */
export function spanIdOf(trace: Trace): string {
  trace.spanId ??= newSpanId();
  return trace.spanId;
}

/** Returns the `traceparent` to pass on: the same trace with this request or job, or another span of it, as the parent. */
export const traceparentOf = (trace: Trace, spanId = spanIdOf(trace)): string =>
  `00-${trace.traceId}-${spanId}-${trace.flags}`;

const current = new AsyncLocalStorage<Trace | undefined>();

export const currentTrace = (): Trace | undefined => current.getStore();

/** Returns the `traceparent` to pass on, or undefined outside a trace. */
export function currentTraceparent(): string | undefined {
  const trace = current.getStore();
  return trace && traceparentOf(trace);
}

/** Runs the work within this trace, or outside any trace when undefined. */
export const withTrace = <T>(trace: Trace | undefined, work: () => T): T => current.run(trace, work);

/** Binds a function to the caller's trace, for work that runs later, such as a batch that serves many requests. */
export function inThisTrace<Arguments extends unknown[], Result>(
  work: ((...given: Arguments) => Result) | undefined,
): ((...given: Arguments) => Result) | undefined {
  const trace = current.getStore();
  return work && trace ? (...given) => current.run(trace, () => work(...given)) : work;
}

/** Returns the fields of the current trace for log lines. */
export function traceFields(): { traceId?: string; requestId?: string; job?: string } {
  const trace = current.getStore();
  if (!trace) return {};
  const { traceId, requestId, job } = trace;
  return { traceId, ...(requestId && { requestId }), ...(job && { job }) };
}
