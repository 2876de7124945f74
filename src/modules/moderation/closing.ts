import type { Core } from '../../kernel/core.ts';
import type { Moderation } from './contract.ts';
import type { ReportStore } from './reports.store.ts';

interface ClosingDeps extends Pick<Core, 'audit' | 'clock'> {
  store: Pick<ReportStore, 'close'>;
}

/** Closes reports of what moderators remove without a verdict, which would otherwise wait for a decision about nothing. */
export const reportClosing =
  ({ store, audit, clock }: ClosingDeps): Moderation['closeReports'] =>
  async (tx, content, actor) => {
    const closed = await store.close(tx, content, { at: clock.date(), by: actor.actor });
    for (const { kind, subjectId, authorId, reports } of closed)
      await audit.record(tx, {
        ...actor,
        action: 'moderation.resolved',
        target: authorId,
        details: { kind, subjectId, outcome: 'removed', reports },
      });
  };
