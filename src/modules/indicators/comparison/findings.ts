import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AlertOperators, endAlert, openAlertOf } from '../../../kernel/records/alerts.ts';
import { COMPARER, type Compared, FINDING_KINDS, type FindingKind } from './comparison.model.ts';
import type { FindingStore } from './findings.store.ts';

interface Deps extends Pick<Core, 'database' | 'clock'> {
  store: FindingStore;
  alertOperators: AlertOperators;
}

interface OpenAlert {
  new?: number;
  scannerIds?: ObjectId[];
}

/** Further indicators are left out of an alert. */
const MAX_NAMED = 20;

/** Tells operators who holds indicators at the charting platform without a grant, which a comparison leaves as it is. */
export function findingRules({ store, database, alertOperators, clock }: Deps) {
  async function tellOf(
    tx: Transaction,
    kind: FindingKind,
    compared: Compared[],
    isWhole: boolean,
  ): Promise<void> {
    const found = compared.flatMap(({ drift }) => drift.filter((one) => one.kind === kind));
    const ids = compared.map(({ scannerId }) => scannerId);
    const fresh = await store.note(tx, kind, ids, found);
    const subject = `indicators:${kind}`;
    if (fresh.length > 0) {
      // Adds to what nobody has dealt with yet, since this alert takes its place.
      const { new: open = 0, scannerIds: openIds = [] } = ((await openAlertOf(tx, subject)) ??
        {}) as OpenAlert;
      const scannerIds = [...new Set([...openIds, ...fresh])].sort().slice(0, MAX_NAMED);
      // Of those some may be gone again, as the whole shows.
      const news = isWhole ? Math.min(found.length, open + fresh.length) : open + fresh.length;
      await alertOperators(tx, {
        action: `indicators.${kind}-holders`,
        target: 'charting-account',
        details: { found: found.length, new: news, scannerIds },
        openUntilDealtWith: subject,
      });
    } else if (isWhole && found.length === 0) await endAlert(tx, subject, { by: COMPARER, at: clock.date() });
  }

  return {
    /**
     * Alerts operators to what is new since an alert was last closed, at most once for each kind, and closes the alert of a
     * kind of which nothing is left.
     * @param isWhole whether all indicators were compared
     */
    tell: (compared: Compared[], isWhole: boolean): Promise<void> =>
      database.transaction(async (tx) => {
        for (const kind of FINDING_KINDS) await tellOf(tx, kind, compared, isWhole);
      }),
  };
}

export type FindingRules = ReturnType<typeof findingRules>;
