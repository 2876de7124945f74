import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import { type Identity, type Member, withMembers } from '../../identity/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseStore } from '../courses/courses.store.ts';
import { ownCourse, ratingNotFound } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Rating } from './ratings.model.ts';
import type { RatingStore } from './ratings.store.ts';

interface RatingDeps {
  store: RatingStore;
  courseStore: Pick<CourseStore, 'lock'>;
  progress: Pick<ProgressRules, 'asEnrolled'>;
  moderation: Pick<Moderation, 'mayApproachIn'>;
  identity: Pick<Identity, 'profilesOf'>;
  clock: Clock;
}

/** Ratings of courses by enrolled members, one per member. */
export function ratingRules({ store, courseStore, progress, moderation, identity, clock }: RatingDeps) {
  /**
   * Runs work for an enrolled member with the course locked, whose sum of ratings it changes.
   * @throws notEnrolled
   */
  const withCourse = <Result>(
    courseId: ObjectId,
    userId: ObjectId,
    work: (tx: Transaction) => Promise<Result>,
    first?: (tx: Transaction) => Promise<void>,
  ): Promise<Result> =>
    progress.asEnrolled(courseId, userId, work, {
      first: async (tx) => {
        await first?.(tx);
        await courseStore.lock(tx, courseId);
      },
    });

  return {
    /** Returns the ratings of a course with their authors, newest first; the course counts them. */
    async pageOf(
      { id, ratingCount }: Pick<Course, 'id' | 'ratingCount'>,
      request: PageRequest,
    ): Promise<Page<Rating & { user: Member }>> {
      const found = await store.listOf(id, request);
      return { ...request, items: await withMembers(identity, found), total: ratingCount };
    },
    /** @throws notEnrolled, ownCourse, blocked if the owner has blocked a member who writes a review */
    async put(
      { id: courseId, ownerId }: Pick<Course, 'id' | 'ownerId'>,
      userId: ObjectId,
      { rating, review = null }: { rating: number; review?: string | null },
    ): Promise<Rating> {
      if (ownerId === userId) throw ownCourse();
      return withCourse(
        courseId,
        userId,
        (tx) => store.put(tx, { courseId, userId, rating, review, updatedAt: clock.date() }),
        review ? (tx) => moderation.mayApproachIn(tx, [ownerId], userId) : undefined,
      );
    },
    /** @throws notEnrolled, ratingNotFound */
    delete: (courseId: ObjectId, userId: ObjectId): Promise<{ courseId: ObjectId }> =>
      withCourse(courseId, userId, async (tx) => {
        if (!(await store.delete(tx, courseId, userId))) throw ratingNotFound();
        return { courseId };
      }),
  };
}

export type RatingRules = ReturnType<typeof ratingRules>;
