import type { Reportable } from '../../moderation/contract.ts';
import type { RatingRules } from './ratings.ts';

/** Reviews of courses are reportable by those who may see the course; the stars of a removed one go on counting. */
export const reportableReview = (ratings: Pick<RatingRules, 'review' | 'removeReviewIn'>): Reportable => ({
  kind: 'review',
  find: async (id, reporter) => {
    const { userId, review, courseId } = await ratings.review(id, reporter);
    return { authorId: userId, text: review, containerId: courseId };
  },
  remove: (tx, id) => ratings.removeReviewIn(tx, id),
});
