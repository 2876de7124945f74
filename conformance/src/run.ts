import { type Area, type Case, idOf } from './cases.ts';
import { type Exchange, printable } from './exchange.ts';
import { Installation } from './installation.ts';
import { Skip, UNMET } from './needs.ts';
import type { Options } from './options.ts';
import { Trial, Violation } from './trial.ts';

/** The outcome of a case. */
export interface Outcome {
  id: string;
  area: string;
  title: string;
  section: string;
  outcome: 'passed' | 'failed' | 'skipped';
  assertions: number;
  /** Why the case was skipped, or which expectation failed. */
  reason?: string;
  /** The request and the response that show the failure. */
  request?: { method: string; url: string; headers: Record<string, string>; body: string };
  answer?: { status: number; body: string };
}

/** The report of a run, as `--json` writes it. */
export interface Report {
  url: string;
  /** When the run began, in ISO 8601. */
  at: string;
  seconds: number;
  totals: { passed: number; failed: number; skipped: number; assertions: number };
  cases: Outcome[];
  /** The members and records that the run created but could not remove. */
  left: string[];
}

/**
 * Runs the cases one after another, and calls `onOutcome` after each.
 * @throws Obstacle
 */
export async function runCases(
  areas: readonly Area[],
  options: Options,
  onOutcome: (outcome: Outcome) => void = () => undefined,
): Promise<Report> {
  const began = new Date();
  const installation = new Installation(options);
  const cases: Outcome[] = [];
  let left: string[] = [];
  try {
    await installation.open();
    for (const area of areas)
      for (const one of area.cases) {
        const outcome = await judge(installation, area.name, one);
        cases.push(outcome);
        onOutcome(outcome);
      }
  } finally {
    left = await installation.close();
  }
  const count = (outcome: Outcome['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  return {
    url: options.url,
    at: began.toISOString(),
    seconds: Math.round((Date.now() - began.getTime()) / 100) / 10,
    totals: {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      assertions: cases.reduce((sum, one) => sum + one.assertions, 0),
    },
    cases,
    left,
  };
}

/** Runs one case and returns its outcome. */
export async function judge(installation: Installation, area: string, one: Case): Promise<Outcome> {
  const { title, section } = one;
  const trial = new Trial(installation);
  const outcomeOf = (outcome: Outcome['outcome'], more: Partial<Outcome> = {}): Outcome => ({
    id: idOf(area, title),
    area,
    title,
    section,
    outcome,
    assertions: trial.assertions,
    ...more,
  });
  const unmet = installation.unmet(one.needs);
  if (unmet) return outcomeOf('skipped', { reason: UNMET[unmet] });
  try {
    await one.run(trial);
    return outcomeOf('passed');
  } catch (error) {
    if (error instanceof Skip) return outcomeOf('skipped', { reason: error.message });
    const reason = error instanceof Violation ? error.message : `the case broke off: ${String(error)}`;
    return outcomeOf('failed', {
      reason,
      ...printableExchange(error instanceof Violation ? error.shownBy : undefined),
    });
  }
}

function printableExchange(by: Exchange | undefined): Pick<Outcome, 'request' | 'answer'> {
  if (!by) return {};
  const { method, url, requestHeaders, requestBody, status, text } = by;
  return {
    request: { method, url, headers: requestHeaders, body: printable(requestBody) },
    answer: { status, body: printable(text) },
  };
}
