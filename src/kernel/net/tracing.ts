import { type LabelledCount, labelledCount, type Metric } from '../metric.ts';
import type { Span, SpanSink } from '../span.ts';
import { SECOND_MS } from '../time/time.ts';
import { type Tracing, withTrace } from '../trace.ts';
import { type Resource, rejectedOf, traceRequest } from './otlp.ts';
import { outboundClient } from './outbound.ts';
import { type SamplerName, sampler } from './sampling.ts';

interface TracingOptions {
  /** Where spans are sent, with the path: `http://collector:4318/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  resource: Resource;
  sampler: SamplerName;
  ratio: number;
  /** Called when the collector begins to fail. */
  onError: (error: Error) => void;
}

/** Spans that wait to be sent; further ones are dropped. */
const MAX_WAITING = 4_096;
const MAX_BATCH = 512;
const EVERY_MS = 2 * SECOND_MS;
const TIMEOUT_MS = 5 * SECOND_MS;
/** How long a stopping process goes on sending. */
const LAST_MS = 2 * SECOND_MS;
/** Spans of one request or job besides its own; further ones are dropped. */
const MAX_PER_TRACE = 500;
/** Traces a second that are recorded because of what a client sent; further ones are not recorded. */
const MAX_OF_CLIENTS = 50;

/** Decides which traces are recorded, and exports their spans by OTLP over HTTP. */
export interface ExportedTracing extends Tracing {
  metrics: Metric[];
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

/**
 * Starts to export spans. Nothing waits for it: spans wait in a queue of limited length, and are dropped and counted
 * when the receiver is slow, away, or refuses them.
 */
export function exportTraces(options: TracingOptions): ExportedTracing {
  const sample = sampler(options.sampler, options.ratio);
  const mayDecide = perSecond(MAX_OF_CLIENTS);
  const counts = spanCounts();
  const exporter = spanExporter(options, counts);
  return {
    begin(trace, isFromClient) {
      const isOfClient = isFromClient && trace.parentId !== undefined;
      const isRecorded = sample(trace) && (!isOfClient || mayDecide());
      trace.flags = isRecorded ? '01' : '00';
      if (isRecorded) trace.spans = limited(exporter.add, counts);
    },
    metrics: [counts],
    close: exporter.close,
  };
}

/** Returns a function that says yes so often a second. */
function perSecond(most: number): () => boolean {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let left = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= SECOND_MS) {
      sinceMs = nowMs;
      left = most;
    }
    return left-- > 0;
  };
}

/** Returns what takes the spans of one request or job; its own span comes last, and is always taken. */
function limited(add: (span: Span) => void, counts: LabelledCount): SpanSink {
  let left = MAX_PER_TRACE;
  return {
    add: (span) => {
      if (left-- > 0 || span.kind === 'server' || span.kind === 'consumer') add(span);
      else counts.add('dropped');
    },
  };
}

/** Counts what becomes of spans. */
export const spanCounts = (): LabelledCount =>
  labelledCount({
    name: 'trace_spans_total',
    help: 'Spans of this process by result: exported, rejected by the receiver, failed (it did not take them), dropped (too many)',
    group: 'External systems',
    needs: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    label: 'result',
    values: ['exported', 'rejected', 'failed', 'dropped'],
    alerts: [
      {
        name: 'SpansLost',
        query:
          'sum(increase(trace_spans_total{result!="exported"}[30m])) / (sum(increase(trace_spans_total[30m])) > 0 or vector(1))',
        condition: '> 0.1',
        minutes: 30,
        severity: 'ticket',
        means: 'Traces are incomplete. Members notice nothing.',
        steps: [
          '`failed`: the collector at `OTEL_EXPORTER_OTLP_ENDPOINT` is away, slow or refuses them; the log says why (`spans`).',
          '`dropped`: more spans than can be sent. Record fewer traces (`OTEL_TRACES_SAMPLER_ARG`).',
        ],
      },
    ],
  });

function spanExporter({ url, headers, resource, onError }: TracingOptions, counts: LabelledCount) {
  const { origin, pathname } = new URL(url);
  const call = outboundClient({ baseUrl: origin, headers, timeoutMs: TIMEOUT_MS, retries: 0 });
  let waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let isFailing = false;

  async function sendBatch(): Promise<boolean> {
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    const body = traceRequest(batch, resource, Date.now() - performance.now());
    try {
      const { status, body: answer } = await call({ method: 'POST', path: pathname, body, answers: 'text' });
      if (status >= 300) throw new Error(`answered ${status}`);
      const rejected = rejectedOf(String(answer), batch.length);
      counts.add('rejected', rejected);
      counts.add('exported', batch.length - rejected);
      isFailing = false;
      return true;
    } catch (error) {
      counts.add('failed', batch.length);
      if (!isFailing) onError(error as Error);
      isFailing = true;
      return false;
    }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) if (!(await sendBatch())) return;
  }
  /** Outside of any trace, so that sending is not recorded itself. */
  const send = (): Promise<void> => {
    sending ??= withTrace(undefined, sendAll).finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void send(), EVERY_MS).unref();

  return {
    add(span: Span): void {
      if (waiting.length >= MAX_WAITING) counts.add('dropped');
      else waiting.push(span);
      if (waiting.length === MAX_BATCH) void send();
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      let late: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        late = setTimeout(resolve, LAST_MS);
      });
      await Promise.race([send().then(send), deadline]);
      clearTimeout(late);
      counts.add('dropped', waiting.length);
    },
  };
}
