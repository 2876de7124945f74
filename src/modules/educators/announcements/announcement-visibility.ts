import { Type } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { announcementChanged } from '../contract.ts';
import type { EducatorStore } from '../educators.store.ts';
import type { AnnouncementStore } from './announcements.store.ts';

const showAnnouncements = jobKind('educators.show-announcements', {
  version: 1,
  data: Type.Object({ educatorId: ObjectIdShape }),
});
/** Announcements whose search documents are written in one transaction. */
const SHOWN_AT_ONCE = 50;

interface VisibilityDeps extends Pick<Core, 'database' | 'events' | 'jobs'> {
  store: Pick<AnnouncementStore, 'keepSome'>;
  educators: Pick<EducatorStore, 'keepVisibility'>;
}

/**
 * Publishes in the background that the announcements of an educator can be found again. Hiding them takes effect in the
 * transaction that changes the account, because it only deletes; writing thousands of search documents there would
 * delay it by seconds.
 */
export function announcementVisibility({ store, educators, database, events, jobs }: VisibilityDeps) {
  const publishSome = (educatorId: ObjectId, after: ObjectId) =>
    database.transaction(async (tx: Transaction): Promise<ObjectId[]> => {
      await educators.keepVisibility(tx, educatorId);
      const ids = await store.keepSome(tx, educatorId, after, SHOWN_AT_ONCE);
      await events.publish(tx, announcementChanged, ...ids.map((announcementId) => ({ announcementId })));
      return ids;
    });

  const showing = job(showAnnouncements, {
    concurrency: 1,
    lowPriority: true,
    run: async ({ educatorId }, { signal }) => {
      for (let after: ObjectId | undefined = ''; after !== undefined; ) {
        signal.throwIfAborted();
        after = (await publishSome(educatorId, after)).at(-1);
      }
    },
  });

  return {
    jobs: [showing],
    show: (tx: Transaction, educatorId: ObjectId): Promise<void> =>
      jobs.enqueue(tx, showAnnouncements, [{ educatorId }]),
  };
}
