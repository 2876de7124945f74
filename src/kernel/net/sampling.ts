import type { Trace } from '../trace.ts';

/** The names that the OpenTelemetry specification gives to samplers (`OTEL_TRACES_SAMPLER`). */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

/** The last hexadecimal digits of a trace id, which every tracer fills with random values, and the number of their values. */
const RANDOM_DIGITS = 13;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

const SAMPLED = 1;

/**
 * Returns a function that says whether a trace is recorded. Of one trace all processes decide alike.
 * @param ratio the part of traces that the samplers named `ratio` record, from 0 to 1
 */
export function sampler(name: SamplerName, ratio: number): (trace: Trace) => boolean {
  const isAmong = ({ traceId }: Trace): boolean =>
    Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) < ratio * RANDOM_RANGE;
  const root = name.endsWith('traceidratio') ? isAmong : () => name.endsWith('always_on');
  if (!name.startsWith('parentbased_')) return root;
  return (trace) =>
    trace.parentId === undefined ? root(trace) : (Number.parseInt(trace.flags, 16) & SAMPLED) === SAMPLED;
}
