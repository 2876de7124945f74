import type { Outcome, Report } from './run.ts';

/** Prints the details of a case that did not pass; nothing for others. */
export function linesOf({ outcome, id, section, reason, request, answer }: Outcome): string[] {
  if (outcome === 'passed') return [];
  if (outcome === 'skipped') return [`skipped  ${id}: ${reason}`];
  const lines = [`FAILED   ${id}`, `  ${reason}`, `  specification: ${section}`];
  if (request) {
    const headers = Object.entries(request.headers).map(([name, value]) => `-H '${name}: ${value}'`);
    lines.push(`  request: ${request.method} ${request.url} ${headers.join(' ')}`);
    if (request.body) lines.push(`           ${request.body}`);
  }
  if (answer) lines.push(`  answer:  ${answer.status} ${answer.body}`);
  return lines;
}

export function summaryOf({ totals, seconds, left }: Report): string[] {
  const lines = [
    `${totals.passed} cases passed, ${totals.failed} failed, ${totals.skipped} were skipped; ${totals.assertions} assertions in ${seconds} s`,
  ];
  if (left.length > 0) lines.push(`These members could not be deleted: ${left.join(', ')}`);
  return lines;
}

/** Prints the cases whose outcomes differ between an earlier report and this one. */
export function differences(before: Report, after: Report): string[] {
  const former = new Map(before.cases.map((one) => [one.id, one.outcome]));
  const now = new Map(after.cases.map((one) => [one.id, one.outcome]));
  return [...new Set([...former.keys(), ...now.keys()])]
    .filter((id) => former.get(id) !== now.get(id))
    .map((id) => `${id}: ${former.get(id) ?? 'not run'} earlier, ${now.get(id) ?? 'not run'} now`);
}
