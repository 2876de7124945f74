import type { Core } from '../../../kernel/core.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { type Identity, notEducator, userNotFound } from '../../identity/contract.ts';
import { courseChanged, courseNotFound, lessonChanged } from '../contract.ts';
import type { CourseStore } from './courses.store.ts';
import type { CourseViews } from './courses.views.ts';
import type { OwnerRules } from './owners.ts';

interface OwnershipDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock'> {
  store: CourseStore;
  views: Pick<CourseViews, 'reread'>;
  owners: Pick<OwnerRules, 'admit'>;
  identity: Pick<Identity, 'keep'>;
  /** Maximum number of lessons in a course. */
  maxLessons: number;
}

/** Transfers a course to another educator, who is paid for enrolments from then on. */
export const courseOwnership =
  ({ store, views, owners, identity, maxLessons, database, events, audit, clock }: OwnershipDeps) =>
  /** @throws courseNotFound, userNotFound, notEducator, tooManyCourses */
  async (id: ObjectId, ownerId: ObjectId, caller: UserCaller, facts: RequestFacts) => {
    await database.transaction(async (tx) => {
      if (!(await identity.keep(tx, ownerId))) throw userNotFound();
      const before = await store.find(id, tx);
      if (before?.ownerId === ownerId) return;
      // Before the course, as changes of accounts do.
      const ownerTeaches = await owners.admit(tx, ownerId);
      if (!ownerTeaches) throw notEducator();
      const course = await store.lock(tx, id);
      if (!course) throw courseNotFound();
      await store.setOwner(tx, { id, ownerId, ownerTeaches, updatedAt: clock.date() });
      await events.publish(tx, courseChanged, { courseId: id });
      const lessonIds = await store.lessonIdsOf(tx, id, maxLessons);
      await events.publish(tx, lessonChanged, ...lessonIds.map((lessonId) => ({ lessonId })));
      await audit.record(tx, {
        ...actorOf(caller, facts),
        action: 'course.owner-changed',
        target: id,
        targetName: course.title,
        changes: { ownerId: [course.ownerId, ownerId] },
      });
    });
    return views.reread(id, caller);
  };

export type ChangeCourseOwner = ReturnType<typeof courseOwnership>;
