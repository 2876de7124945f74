import type { Span, SpanAttributes, SpanKind } from './span.ts';
import { currentTrace, newSpanId, spanIdOf, type Trace, traceparentOf } from './trace.ts';

interface Outcome {
  attributes?: SpanAttributes;
  failure?: string | undefined;
}

/** A span that has begun. */
export class OpenSpan {
  readonly id = newSpanId();
  readonly trace: Trace;
  readonly #name: string;
  readonly #kind: SpanKind;
  readonly #beganMs = performance.now();

  constructor(trace: Trace, name: string, kind: SpanKind) {
    this.trace = trace;
    this.#name = name;
    this.#kind = kind;
  }

  /** The `traceparent` for a call within this span. */
  get traceparent(): string {
    return traceparentOf(this.trace, this.id);
  }

  end({ attributes = {}, failure }: Outcome = {}): void {
    this.trace.spans?.add({
      traceId: this.trace.traceId,
      id: this.id,
      parentId: spanIdOf(this.trace),
      name: this.#name,
      kind: this.#kind,
      beganMs: this.#beganMs,
      endedMs: performance.now(),
      attributes,
      failure,
    });
  }
}

/** Begins a span within the current request or job; undefined unless its trace is recorded. */
export function beginSpan(name: string, kind: SpanKind, trace = currentTrace()): OpenSpan | undefined {
  return trace?.spans && new OpenSpan(trace, name, kind);
}

/** Adds the span of the request or job itself, which is the parent of all others. */
export function addOwnSpan(
  trace: Trace,
  span: Pick<Span, 'name' | 'kind' | 'beganMs' | 'attributes' | 'failure' | 'links'>,
): void {
  trace.spans?.add({
    ...span,
    traceId: trace.traceId,
    id: spanIdOf(trace),
    parentId: trace.parentId,
    endedMs: performance.now(),
  });
}

/** Returns what kind of failure an error is: its code or class, never its message, which may quote somebody. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const kind = typeof code === 'string' ? code : name;
  return typeof kind === 'string' && /^\w{1,60}$/.test(kind) ? kind : 'Error';
}
