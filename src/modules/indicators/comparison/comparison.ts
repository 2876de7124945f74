import type { Core } from '../../../kernel/core.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job } from '../../../kernel/messaging/jobs.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { HOUR_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { AccessStore } from '../access/access.store.ts';
import { absentOutside } from '../access/access.transitions.ts';
import type { EntryStore } from '../access/entries.store.ts';
import { applyGrants, compareAccess } from '../jobs.ts';
import { COMPARER, type Compared, type ComparedGrant } from './comparison.model.ts';
import type { Drift, Report } from './comparison.schemas.ts';
import type { ComparisonStore } from './comparison.store.ts';
import type { FindingRules } from './findings.ts';
import type { Listings } from './listing.ts';

interface Deps extends Pick<Core, 'database' | 'jobs' | 'audit' | 'clock'> {
  store: ComparisonStore;
  access: AccessStore;
  entries: Pick<EntryStore, 'put'>;
  listings: Listings;
  findings: FindingRules;
  alertOperators: AlertOperators;
  settings: { hasPlatform: boolean };
}

type Scanner = { id: ObjectId; name: string; pineId: string };

const MAX_DRIFT = 1_000;
/**
 * If a larger share of an indicator's grants differs, the listing is probably wrong, for example that of another
 * account.
 */
const MAX_DIFFERING_SHARE = 0.2;
const MIN_REPAIRED = 2;
const ON_DEMAND_MS = 120 * SECOND_MS;
const NIGHTLY_MS = 4 * HOUR_MS;

/** Compares the grants with the actual state at the charting platform, and grants missing ones again. */
export function comparisons(deps: Deps) {
  const {
    store,
    access,
    entries,
    listings,
    findings,
    database,
    jobs,
    audit,
    alertOperators,
    clock,
    settings,
  } = deps;

  /** Grants a missing entry again, unless the grant has changed since. */
  function repair({ accessId, userId }: Drift, version: number): Promise<boolean> {
    return database.transaction(async (tx) => {
      await access.lockMember(tx, userId as ObjectId);
      const grant = await access.lock(tx, accessId as ObjectId);
      if (!grant || grant.version !== version || grant.pineId === null) return false;
      if (grant.status !== 'active') return false;
      const at = clock.date();
      const { pineId, handle } = grant;
      // Keeps the recorded origin: if the listing was wrong, the entry still exists.
      await entries.put(tx, grant.id, { pineId, handle, isConfirmed: false, origin: 'unknown' });
      const mover = { actor: COMPARER, why: 'Not held at the charting platform' };
      await access.put(tx, [absentOutside(grant, at)], mover, at);
      await jobs.enqueue(tx, applyGrants, [{}]);
      return true;
    });
  }

  /** Returns the differences of an indicator; undefined if its listing is incomplete or probably wrong. */
  async function compareOne(
    scanner: Scanner,
    dryRun: boolean,
    report: Report,
    signal: AbortSignal,
  ): Promise<Drift[] | undefined> {
    const walkBeganAt = clock.date();
    const listed = await listings.holdersOf(scanner.pineId, signal);
    if (!listed) {
      report.complete = false;
      report.problems.push(`${scanner.name}: the listing was incomplete, so it was ignored`);
      return undefined;
    }
    const grants = await store.grantsOf(scanner.id, walkBeganAt);
    const drift = differencesOf(scanner, listed, grants);
    // An unwanted entry was not made by the platform, as far as is known; it is reported and stays.
    const differing = drift.filter(({ kind }) => kind === 'missing');
    report.checked += grants.length;
    report.drift.push(...drift.slice(0, MAX_DRIFT - report.drift.length));
    if (differing.length > MIN_REPAIRED && differing.length > MAX_DIFFERING_SHARE * grants.length)
      return halt(scanner, differing.length, grants.length, report);
    if (dryRun) return drift;
    const versionOf = new Map(grants.map(({ id, version }) => [id, version]));
    for (const one of differing) {
      one.mended = await repair(one, versionOf.get(one.accessId as ObjectId) as number);
      if (one.mended) report.granted++;
    }
    return drift;
  }

  async function halt(
    { id, name }: Scanner,
    differing: number,
    of: number,
    report: Report,
  ): Promise<undefined> {
    report.complete = false;
    report.problems.push(
      `${name}: ${differing} of ${of} grants differ, so nothing was mended; is it the right account?`,
    );
    const details = { scannerName: name, differing, of };
    await database.transaction((tx) =>
      alertOperators(tx, { action: 'indicators.comparison-halted', target: id, details }),
    );
  }

  async function compare(dryRun: boolean, signal: AbortSignal, compared: Compared[] = []): Promise<Report> {
    const report: Report = { checked: 0, granted: 0, revoked: 0, drift: [], complete: true, problems: [] };
    if (!settings.hasPlatform)
      return {
        ...report,
        complete: false,
        problems: ['No charting platform is set up (CHARTING_SESSION_ID)'],
      };
    for (const scanner of await store.indicators()) {
      const drift = await compareOne(scanner, dryRun, report, signal).catch((error: Error) => {
        if (error.name !== 'AbortError') throw error;
        return undefined;
      });
      if (drift) compared.push({ scannerId: scanner.id, drift });
      if (!signal.aborted) continue;
      report.problems.push('The comparison took too long and ended before all indicators were compared');
      return { ...report, complete: false };
    }
    return report;
  }

  const nightly = job(compareAccess, {
    cron: '41 2 * * *',
    concurrency: 1,
    retries: 0,
    timeoutSeconds: NIGHTLY_MS / SECOND_MS,
    run: async (_data, { signal }) => {
      const compared: Compared[] = [];
      const { complete } = await compare(false, signal, compared);
      await findings.tell(compared, complete);
    },
  });

  return {
    nightly,
    /** Compares now, for at most two minutes. */
    async now(dryRun: boolean, actor: Actor): Promise<Report> {
      const report = await compare(dryRun, AbortSignal.timeout(ON_DEMAND_MS));
      const { checked, granted, revoked, complete } = report;
      const details = { dryRun, checked, granted, revoked, complete };
      await database.transaction((tx) =>
        audit.record(tx, { ...actor, action: 'indicator-access.compared', details }),
      );
      return report;
    },
  };
}

export type Comparisons = ReturnType<typeof comparisons>;

/** Returns the differences between a listing and the grants of an indicator. */
function differencesOf(scanner: Scanner, listed: Map<string, string>, grants: ComparedGrant[]): Drift[] {
  const about = { scannerId: scanner.id, scannerName: scanner.name, mended: false };
  const wanted = new Set(
    grants.filter(({ status }) => status !== 'revoked').map(({ handle }) => handle.toLowerCase()),
  );
  const grantedHandles = new Set(grants.map(({ handle }) => handle.toLowerCase()));
  const drift: Drift[] = [];
  for (const { id, userId, handle, status, isUnchanged } of grants) {
    const key = handle.toLowerCase();
    const isListed = listed.has(key);
    const kind = status === 'active' ? 'missing' : 'unexpected';
    const differs = status === 'active' ? !isListed : isListed && !wanted.has(key);
    if (isUnchanged && differs)
      drift.push({ ...about, accessId: id, userId, chartingUsername: handle, kind });
  }
  for (const [key, handle] of listed)
    if (!grantedHandles.has(key))
      drift.push({ ...about, accessId: null, userId: null, chartingUsername: handle, kind: 'stranger' });
  return drift;
}
