import { addOwnSpan } from '../spans.ts';
import { newTrace, type Trace, type Tracing, traceFrom } from '../trace.ts';

/** Causes that the span of several jobs refers to. */
const MAX_LINKS = 32;

/** A job that is run: what enqueued it, and how often it failed before. */
interface Run {
  retryCount: number;
  data: { traceparent?: string } | null;
}

interface Ended {
  /** The kind of failure, if it failed. */
  failure?: string | undefined;
  /** The jobs that ran; several have links to what enqueued them. */
  jobs: Run[];
}

/** The traces in which jobs of a kind run, and their spans where these are recorded. */
export function jobTraces(name: string, tracing: Tracing | undefined) {
  return {
    /** Begins the trace of an attempt; a new one unless that of what enqueued the job is given. */
    begin(origin: Trace = newTrace()): Trace {
      const trace: Trace = { ...origin, job: name };
      tracing?.begin(trace, false);
      return trace;
    },
    /** Adds what the attempt was. @param beganMs by `performance.now()` */
    end(trace: Trace, beganMs: number, { failure, jobs }: Ended): void {
      if (!trace.spans) return;
      const attributes = {
        'messaging.destination.name': name,
        'messaging.batch.message_count': jobs.length,
        'platform.job.attempt': jobs.length === 1 ? (jobs[0]?.retryCount ?? 0) + 1 : undefined,
      };
      const links = jobs.length > 1 ? jobs.slice(0, MAX_LINKS).flatMap(causeOf) : [];
      addOwnSpan(trace, { name: `process ${name}`, kind: 'consumer', beganMs, attributes, failure, links });
    },
  };
}

function causeOf({ data }: Run): { traceId: string; id: string }[] {
  const { traceId, parentId } = traceFrom(data?.traceparent) ?? {};
  return traceId === undefined || parentId === undefined ? [] : [{ traceId, id: parentId }];
}
