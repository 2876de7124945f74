import { OperatorFault } from '../operator-fault.ts';
import type { FormerQueue } from './former-queues.ts';
import type { Job, JobKind } from './jobs.ts';

interface Others {
  /** Kinds of jobs that do not exist in this configuration; patterns may name their queues, too. */
  absent?: readonly Pick<JobKind, 'name'>[];
  /** Those of former releases; a renamed one may be named as before. */
  former?: readonly FormerQueue[];
  /** Told of a pattern that fits queues of former releases alone: an upgrade must not end the workers. */
  warn?: (sentence: string) => void;
}

/**
 * Returns those jobs whose queues a worker is to take from. Called in every role, so that a mistyped name is refused anywhere.
 * @param patterns names of queues; `media.*` stands for all that begin with `media.`, and a `!` in front leaves out
 *   what follows it. With exclusions alone all others are taken; without patterns, all.
 * @throws OperatorFault for a pattern that fits no queue, which would be a mistyped one
 */
export function selectQueues<Kind extends Pick<Job, 'kind'>>(
  jobs: readonly Kind[],
  patterns: readonly string[] = [],
  { absent = [], former = [], warn = () => undefined }: Others = {},
): Kind[] {
  const names = [...jobs.map(({ kind }) => kind), ...absent].map(({ name }) => name);
  const rules = patterns.map((pattern) => {
    const isExclusion = pattern.startsWith('!');
    const fits = matcherOf(isExclusion ? pattern.slice(1) : pattern);
    if (!names.some(fits)) {
      const fitting = former.filter(({ name }) => fits(name));
      if (fitting.length === 0)
        throw new OperatorFault(
          `WORKER_QUEUES names ${pattern}, which fits no queue. GET /v1/admin/jobs lists their names.`,
        );
      const fates = fitting.map(({ name, renamedTo }) =>
        renamedTo === undefined ? `${name} was removed` : `${name} is ${renamedTo} now`,
      );
      warn(`WORKER_QUEUES names ${pattern}, which fits only queues of former releases: ${fates.join(', ')}.`);
    }
    return { isExclusion, fits };
  });
  const wanted = rules.filter(({ isExclusion }) => !isExclusion);
  const unwanted = rules.filter(({ isExclusion }) => isExclusion);
  return jobs.filter(({ kind: { name } }) => {
    const called = [name, ...former.filter(({ renamedTo }) => renamedTo === name).map((one) => one.name)];
    return (
      (wanted.length === 0 || wanted.some(({ fits }) => called.some(fits))) &&
      !unwanted.some(({ fits }) => called.some(fits))
    );
  });
}

const matcherOf = (pattern: string): ((name: string) => boolean) =>
  pattern.endsWith('*') ? (name) => name.startsWith(pattern.slice(0, -1)) : (name) => name === pattern;
