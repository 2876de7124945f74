import { OperatorFault } from '../operator-fault.ts';
import type { Job, JobKind } from './jobs.ts';

/**
 * Returns those jobs whose queues a worker is to take from.
 * @param patterns names of queues; `media.*` stands for all that begin with `media.`, and a `!` in front leaves out
 *   what follows it. With exclusions alone all others are taken; without patterns, all.
 * @param absent kinds of jobs that do not exist in this configuration; patterns may name their queues, too
 * @throws OperatorFault for a pattern that fits no queue, which would be a mistyped one
 */
export function selectQueues<Kind extends Pick<Job, 'kind'>>(
  jobs: readonly Kind[],
  patterns: readonly string[] = [],
  absent: readonly Pick<JobKind, 'name'>[] = [],
): Kind[] {
  const names = [...jobs.map(({ kind }) => kind), ...absent].map(({ name }) => name);
  const rules = patterns.map((pattern) => {
    const isExclusion = pattern.startsWith('!');
    const fits = matcherOf(isExclusion ? pattern.slice(1) : pattern);
    if (!names.some(fits))
      throw new OperatorFault(
        `WORKER_QUEUES names ${pattern}, which fits no queue. GET /v1/admin/jobs lists their names.`,
      );
    return { isExclusion, fits };
  });
  const wanted = rules.filter(({ isExclusion }) => !isExclusion);
  const unwanted = rules.filter(({ isExclusion }) => isExclusion);
  return jobs.filter(
    ({ kind: { name } }) =>
      (wanted.length === 0 || wanted.some(({ fits }) => fits(name))) &&
      !unwanted.some(({ fits }) => fits(name)),
  );
}

const matcherOf = (pattern: string): ((name: string) => boolean) =>
  pattern.endsWith('*') ? (name) => name.startsWith(pattern.slice(0, -1)) : (name) => name === pattern;
