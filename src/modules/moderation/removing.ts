import type { Transaction } from '../../kernel/database/queries.ts';
import { Failure } from '../../kernel/failures.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { digestOf } from '../../kernel/secrets.ts';
import type { AfterCommit, Moderation, Report, Reportable } from './contract.ts';
import type { remainsStore } from './remains.store.ts';

interface RemovingDeps {
  reportableOf: (kind: string) => Reportable;
  closeReports: Moderation['closeReports'];
  remains: Pick<typeof remainsStore, 'keep'>;
}

interface By {
  at: Date;
  moderator: UserCaller;
  facts: RequestFacts;
}

/**
 * Removes what was reported, which may be gone already, by its author or with its container, and keeps what it leaves. The
 * reports of what stands in it close with it, unless it stays.
 */
export const removing =
  ({ reportableOf, closeReports, remains }: RemovingDeps) =>
  async (
    tx: Transaction,
    { kind, subjectId }: Report,
    { at, moderator, facts }: By,
  ): Promise<AfterCommit | undefined> => {
    const reportable = reportableOf(kind);
    const removed = { kind, subjectIds: [subjectId], containerIds: [subjectId] };
    if (!reportable.keepsContents) await closeReports(tx, removed, actorOf(moderator, facts));
    const follow = await reportable.remove(tx, subjectId, moderator).catch((error): undefined => {
      if (!(error instanceof Failure) || error.status !== 404) throw error;
    });
    const left = await reportable.textLeft?.(tx, subjectId);
    if (left !== undefined) await remains.keep(tx, { kind, subjectId }, at, digestOf(left));
    return follow;
  };
