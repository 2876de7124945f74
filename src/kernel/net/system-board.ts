import { Failure } from '../failures.ts';
import type { AnyMetric } from '../metric.ts';
import { beginSpan, failureOf, type OpenSpan } from '../spans.ts';
import { redactText } from '../text/redaction.ts';
import type { Clock } from '../time/time.ts';
import { withTrace } from '../trace.ts';
import { callDurations } from './system-board.metrics.ts';

/** The result of this process's latest call to an external system. */
export interface SystemState {
  system: string;
  /** `unused` until the first call, and `off` if the system is not configured. */
  state: 'up' | 'down' | 'unused' | 'off';
  /** When the state began. */
  since: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  /** When the system last answered or failed to. */
  seenAt: Date | null;
}

const MAX_CAUSES = 4;

/**
 * Returns the message of a fault followed by those of its causes. The fault itself only says that a system is unavailable;
 * an operator needs the cause.
 */
function reasonOf(fault: Error): string {
  const messages: string[] = [];
  let error: unknown = fault;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth++, error = error.cause) {
    const isNamed = depth > 0 && error.name !== 'Error' && error.name !== 'ExternalFault';
    const message = isNamed ? `${error.name}: ${error.message}` : error.message;
    if (!messages.some((one) => one.includes(message))) messages.push(message);
  }
  return redactText(messages.join(': '));
}

/** The states of external systems, from the calls that this process makes to them anyway. */
export function systemBoard(clock: Clock) {
  const states = new Map<string, SystemState>();
  const durations = callDurations();

  function note(system: string, error: Error | undefined): void {
    const known = states.get(system);
    if (!known) return;
    const at = clock.date();
    const state = error ? 'down' : 'up';
    states.set(system, {
      ...known,
      state,
      since: known.state === state ? known.since : at,
      ...(error ? { lastError: reasonOf(error), lastErrorAt: at } : {}),
      seenAt: at,
    });
  }

  /** Records how a call ended. A refusal counts as an answer; an aborted call is ignored. */
  function watch(system: string, call: Promise<unknown>): void {
    const sinceMs = performance.now();
    const end = (fault: Error | undefined): void => {
      durations.observe((performance.now() - sinceMs) / 1000, system, fault ? 'failed' : 'answered');
      note(system, fault);
    };
    call.then(
      () => end(undefined),
      (error: Error) => {
        if (error?.name === 'AbortError') return;
        end(error instanceof Failure && error.status < 500 ? undefined : error);
      },
    );
  }

  return {
    /** Wraps the port of a system so that its calls are recorded. */
    observed<Port extends object>(system: string, port: Port | undefined): Port | undefined {
      const [since, lastError, lastErrorAt, seenAt] = [null, null, null, null];
      states.set(system, { system, state: port ? 'unused' : 'off', since, lastError, lastErrorAt, seenAt });
      return (
        port &&
        new Proxy(port, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name, target);
            if (typeof value !== 'function') return value;
            return (...given: unknown[]) => {
              const result: unknown = inSpan(`${system}.${String(name)}`, () => value.apply(target, given));
              if (result instanceof Promise) watch(system, result);
              return result;
            };
          },
        })
      );
    },
    states: (): SystemState[] => [...states.values()],
    metrics: [durations] satisfies AnyMetric[],
  };
}

export type SystemBoard = ReturnType<typeof systemBoard>;

/** Calls a system within a span, if the trace is recorded; the requests that it makes are children of the span. */
function inSpan(name: string, call: () => unknown): unknown {
  const span = beginSpan(name, 'internal');
  if (!span) return call();
  const result = withTrace({ ...span.trace, spanId: span.id }, call);
  if (result instanceof Promise) endWith(span, result);
  else span.end();
  return result;
}

function endWith(span: OpenSpan, result: Promise<unknown>): void {
  result.then(
    () => span.end(),
    (error) => span.end({ failure: failureOf(error) }),
  );
}

/** Returns the most recent state of each system among all processes. */
export function latestOf(boards: SystemState[][]): SystemState[] {
  const latest = new Map<string, SystemState>();
  for (const state of boards.flat()) {
    const known = latest.get(state.system);
    const isNewer = known && (state.seenAt?.getTime() ?? 0) > (known.seenAt?.getTime() ?? 0);
    if (!known || isNewer || known.state === 'off') latest.set(state.system, state);
  }
  return [...latest.values()];
}
