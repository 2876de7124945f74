import type { Span, SpanAttributes } from '../span.ts';

/** What all spans of a process have in common. */
export type Resource = Record<string, string>;

const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const FAILED = 2;

/** Returns a value in the form of OTLP, in which a whole number is a text. */
function encoded(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Returns attributes in the form of OTLP, without those that have no value. */
const attributesOf = (attributes: SpanAttributes): { key: string; value: object }[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encoded(value) }],
  );

/** Returns nanoseconds since 1970, which exceed what a number holds exactly. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const spanOf = (span: Span, offsetMs: number) => ({
  traceId: span.traceId,
  spanId: span.id,
  ...(span.parentId && { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanoseconds(span.beganMs + offsetMs),
  endTimeUnixNano: nanoseconds(span.endedMs + offsetMs),
  attributes: attributesOf({ ...span.attributes, 'error.type': span.failure }),
  ...(span.failure !== undefined && { status: { code: FAILED } }),
  ...(span.links?.length && { links: span.links.map(({ traceId, id }) => ({ traceId, spanId: id })) }),
});

/**
 * Returns spans in the JSON of the OpenTelemetry protocol.
 * @param offsetMs what to add to times of `performance.now()` for milliseconds since 1970
 */
export const traceRequest = (spans: Span[], resource: Resource, offsetMs: number) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'platform-api' }, spans: spans.map((span) => spanOf(span, offsetMs)) }],
    },
  ],
});

/** Returns how many spans of a request the receiver says it rejected, whatever nonsense it says. */
export function rejectedOf(answer: string, sent: number): number {
  try {
    const { rejectedSpans = 0 } = JSON.parse(answer)?.partialSuccess ?? {};
    const count = Number(rejectedSpans);
    return Number.isFinite(count) ? Math.min(sent, Math.max(0, Math.round(count))) : 0;
  } catch {
    return 0;
  }
}
