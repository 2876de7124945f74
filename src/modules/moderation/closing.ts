import { Type } from 'typebox';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Actor } from '../../kernel/records/audit.ts';
import type { Moderation, RemovedContent } from './contract.ts';
import type { ReportStore } from './reports.store.ts';

interface ClosingDeps extends Pick<Core, 'audit' | 'clock' | 'jobs'> {
  store: Pick<ReportStore, 'close'>;
}

const closeAgain = jobKind('moderation.close-again', {
  version: 1,
  data: Type.Object({
    kind: Type.String(),
    subjectIds: Type.Array(ObjectIdShape),
    containerIds: Type.Array(ObjectIdShape),
    actor: Type.String(),
  }),
});
/** Longer than any request may take. */
const AGAIN_AFTER_SECONDS = 60;

/** Closes reports of what moderators remove without a verdict, which would otherwise wait for a decision about nothing. */
export function reportClosing({ store, audit, clock, jobs }: ClosingDeps) {
  async function close(tx: Transaction, content: RemovedContent, actor: Actor): Promise<void> {
    const closed = await store.close(tx, content, { at: clock.date(), by: actor.actor });
    for (const { kind, subjectId, authorId, reports } of closed)
      await audit.record(tx, {
        ...actor,
        action: 'moderation.resolved',
        target: authorId,
        details: { kind, subjectId, outcome: 'removed', reports },
      });
  }

  const closeReports: Moderation['closeReports'] = async (tx, content, actor) => {
    await close(tx, content, actor);
    const { kind, subjectIds, containerIds = [] } = content;
    const again = { kind, subjectIds, containerIds, actor: actor.actor };
    await jobs.enqueue(tx, closeAgain, [again], { afterSeconds: AGAIN_AFTER_SECONDS });
  };

  return {
    closeReports,
    /** Closes once more what requests reported that had read the content before it was removed. */
    jobs: [job(closeAgain, { runIn: (tx, { actor, ...content }) => close(tx, content, { actor }) })],
  };
}
