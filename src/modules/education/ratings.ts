import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import { ratingNotFound } from './failures.ts';
import type { ProgressRules } from './progress.ts';
import type { Rating, RatingStore } from './ratings.store.ts';

interface RatingDeps {
  store: RatingStore;
  progress: Pick<ProgressRules, 'asEnrolled'>;
  clock: Clock;
}

/** Ratings of courses by enrolled members, one per member. */
export function ratingRules({ store, progress, clock }: RatingDeps) {
  return {
    /** @throws notEnrolled */
    put: (
      courseId: ObjectId,
      userId: ObjectId,
      { rating, review = null }: { rating: number; review?: string | null },
    ): Promise<Rating> =>
      progress.asEnrolled(courseId, userId, (tx) =>
        store.put(tx, { courseId, userId, rating, review, updatedAt: clock.date() }),
      ),
    /** @throws notEnrolled, ratingNotFound */
    delete: (courseId: ObjectId, userId: ObjectId): Promise<{ courseId: ObjectId }> =>
      progress.asEnrolled(courseId, userId, async (tx) => {
        if (!(await store.delete(tx, courseId, userId))) throw ratingNotFound();
        return { courseId };
      }),
  };
}

export type RatingRules = ReturnType<typeof ratingRules>;
