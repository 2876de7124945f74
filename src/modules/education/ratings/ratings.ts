import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { type Identity, type Member, withMembers } from '../../identity/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseStore } from '../courses/courses.store.ts';
import type { CourseRules } from '../courses/courses.ts';
import { ownCourse, ratingNotFound } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Rating } from './ratings.model.ts';
import type { RatingStore } from './ratings.store.ts';

interface RatingDeps extends Pick<Core, 'clock'> {
  store: RatingStore;
  courseStore: Pick<CourseStore, 'lock'>;
  courses: Pick<CourseRules, 'visible'>;
  progress: Pick<ProgressRules, 'asEnrolled'>;
  moderation: Pick<Moderation, 'mayApproachIn' | 'maySpeak'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Ratings of courses by enrolled members, one per member. */
export function ratingRules(deps: RatingDeps) {
  const { store, courseStore, courses, progress, moderation, identity, clock } = deps;

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
    /** @throws notEnrolled, ownCourse; for a review, muted, and blocked if the owner has blocked the member */
    async put(
      { id: courseId, ownerId }: Pick<Course, 'id' | 'ownerId'>,
      author: UserCaller,
      { rating, review = null }: { rating: number; review?: string | null },
    ): Promise<Rating> {
      const { userId } = author;
      if (ownerId === userId) throw ownCourse();
      const mayWrite = async (tx: Transaction): Promise<void> => {
        await moderation.maySpeak(author, tx);
        await moderation.mayApproachIn(tx, [ownerId], userId);
      };
      return withCourse(
        courseId,
        userId,
        (tx) => store.put(tx, { courseId, userId, rating, review, updatedAt: clock.date() }),
        review ? mayWrite : undefined,
      );
    },
    /** Returns a rating with a review, of a course that the caller may see. @throws ratingNotFound, courseNotFound */
    async review(id: ObjectId, caller: UserCaller): Promise<Rating & { review: string }> {
      const found = await store.findReview(id);
      if (!found?.review) throw ratingNotFound();
      await courses.visible(found.courseId, caller);
      return { ...found, review: found.review };
    },
    /** Removes the review of a rating in a transaction, if it still exists, and notifies nobody. */
    async removeReviewIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await store.removeReview(tx, id);
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
