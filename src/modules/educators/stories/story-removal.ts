import { Type } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { storyPublished } from '../contract.ts';
import type { Story } from './stories.model.ts';
import type { StoryStore } from './stories.store.ts';

const forgetViews = jobKind('educators.forget-story-views', {
  version: 1,
  data: Type.Object({ storyId: ObjectIdShape }),
});
const removeExpired = jobKind('educators.remove-expired-stories');
const EXPIRED_AT_ONCE = 100;
const VIEWS_AT_ONCE = 5_000;

interface RemovalDeps extends Pick<Core, 'database' | 'jobs' | 'clock'> {
  store: StoryStore;
  moderation: Pick<Moderation, 'intervene' | 'closeReports'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** The end of stories: they expire, are deleted, or go with their educator. */
export function storyRemoval({ store, moderation, notifications, database, jobs, clock }: RemovalDeps) {
  /** Deletes a story, if it still exists; returns when it was published. Views are deleted in the background. */
  async function remove(tx: Transaction, id: ObjectId): Promise<Date | undefined> {
    const since = await store.remove(tx, id);
    if (since) await jobs.enqueue(tx, forgetViews, [{ storyId: id }]);
    return since;
  }

  async function removeAll(tx: Transaction, ids: ObjectId[]): Promise<void> {
    for (const id of ids) await remove(tx, id);
  }

  /** Deletes a story before its time, and the notifications of it. */
  async function withdrawIn(tx: Transaction, id: ObjectId): Promise<void> {
    const since = await remove(tx, id);
    if (since) await notifications.withdrawIn(tx, [{ of: storyPublished, about: { storyId: id }, since }]);
  }

  const sweep = job(removeExpired, {
    cron: '* * * * *',
    concurrency: 1,
    run: async (_data, { signal }) => {
      for (let found = EXPIRED_AT_ONCE; found === EXPIRED_AT_ONCE && !signal.aborted; )
        found = await database.transaction(async (tx) => {
          const expired = await store.expired(tx, clock.date(), EXPIRED_AT_ONCE);
          await removeAll(
            tx,
            expired.map(({ id }) => id),
          );
          return expired.length;
        });
    },
  });
  const forget = job(forgetViews, {
    run: async ({ storyId }) => {
      while ((await store.forgetViews(storyId, VIEWS_AT_ONCE)) > 0);
    },
  });

  return {
    jobs: [sweep, forget],
    /** Deletes a story; if another actor is given, its educator is notified with the reason. */
    delete: (story: Pick<Story, 'id'> & { educatorId: ObjectId }, actor: Actor): Promise<void> =>
      database.transaction(async (tx) => {
        const { id, educatorId } = story;
        await moderation.closeReports(tx, { kind: 'story', subjectIds: [id] }, actor);
        await withdrawIn(tx, id);
        const removed = { kind: 'story', subjectId: id, action: 'removed' } as const;
        await moderation.intervene(tx, actor, { ...removed, authorId: educatorId });
      }),
    /** Deletes a story in a transaction, if it still exists, and notifies nobody. */
    async removeIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await withdrawIn(tx, id);
    },

    /** Deletes the stories and views of a deleted member. */
    async erase(userId: ObjectId): Promise<void> {
      const removeSome = async (tx: Transaction): Promise<number> => {
        const some = await store.someOf(tx, userId, EXPIRED_AT_ONCE);
        await removeAll(
          tx,
          some.map(({ id }) => id),
        );
        return some.length;
      };
      while ((await database.transaction(removeSome)) > 0);
      const forgetSome = (tx: Transaction) => store.forgetViewsOf(tx, userId, VIEWS_AT_ONCE);
      while ((await database.transaction(forgetSome)) > 0);
    },
  };
}
