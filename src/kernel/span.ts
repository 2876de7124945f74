/** What a span is: a request that is answered, a call of another system, a job, or work of our own. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Facts about a span. They must tell nothing of people and no secrets: routes, names and numbers, never values. */
export type SpanAttributes = Record<string, string | number | undefined>;

/** A finished piece of work within a trace. Times are those of `performance.now()`. */
export interface Span {
  traceId: string;
  id: string;
  parentId: string | undefined;
  name: string;
  kind: SpanKind;
  beganMs: number;
  endedMs: number;
  attributes: SpanAttributes;
  /** The kind of failure, when it failed. */
  failure?: string | undefined;
  /** Spans of other traces that caused it. */
  links?: Pick<Span, 'traceId' | 'id'>[] | undefined;
}

/** Takes finished spans; never throws, blocks or waits. */
export interface SpanSink {
  add(span: Span): void;
}
