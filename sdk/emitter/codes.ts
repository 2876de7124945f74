import type { Described } from './description.ts';

/** A set of error codes that many operations share, under a name that reads well in an editor. */
export interface CodeGroup {
  name: string;
  about: string;
  codes: string[];
}

/** Returns the codes that all operations of a kind share, so that each operation lists only its additional ones. */
export function codeGroups(operations: Described[]): CodeGroup[] {
  const groups: CodeGroup[] = [];
  const add = (name: string, about: string, belongs: (operation: Described) => boolean) => {
    const [first, ...rest] = operations.filter(belongs);
    const known = new Set(groups.flatMap(({ codes }) => codes));
    const codes = (first?.codes ?? []).filter(
      (code) => !known.has(code) && rest.every((one) => one.codes.includes(code)),
    );
    groups.push({ name, about, codes: codes.sort() });
  };
  const isWrite = ({ method }: Described) => method !== 'GET';
  add('AnyCode', 'Every operation may be refused with these.', () => true);
  add(
    'TokenCode',
    'Operations of signed-in members may be refused with these, too.',
    ({ takesToken }) => takesToken,
  );
  add('WriteCode', 'Requests that may have a body may be refused with these, too.', isWrite);
  add(
    'IdempotencyCode',
    'Operations that accept an Idempotency-Key may be refused with these, too.',
    ({ isIdempotent }) => isIdempotent,
  );
  return groups;
}

/** Writes the codes of an operation: the groups of which it has every code, and then its other codes. */
export function codeType({ codes }: Described, groups: CodeGroup[]): string {
  const whole = groups.filter((group) => group.codes.every((code) => codes.includes(code)));
  const grouped = new Set(whole.flatMap((group) => group.codes));
  const own = codes.filter((code) => !grouped.has(code)).sort();
  return [...whole.map(({ name }) => name), ...own.map((code) => `'${code}'`)].join(' | ');
}
