import type { Database } from '../../../kernel/database/database.ts';
import { offsetOf, type PageRequest } from '../../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Rating } from './ratings.model.ts';

/** The id of a rating follows from the course and the member; served by rating_by_id. */
const ID = 'left(md5(course_id || user_id), 24)';
const RATING = `${ID} as id, course_id as "courseId", user_id as "userId", rating, review, created_at as "createdAt",
  updated_at as "updatedAt"`;

const findReview = statement<Rating>(
  'education.find-review',
  `select ${RATING} from education.rating where ${ID} = $1 and review is not null`,
);

const findRating = statement<Rating>(
  'education.find-rating',
  `select ${RATING} from education.rating where course_id = $1 and user_id = $2`,
);

/** SQL of ratings. The course stores their sum and count; writers must hold the lock of the member's enrolment. */
export function ratingStore(database: Database) {
  const count = async (tx: Transaction, courseId: ObjectId, votes: number, stars: number): Promise<void> => {
    await tx.execute(
      'update education.course set rating_count = rating_count + $2, rating_sum = rating_sum + $3 where id = $1',
      [courseId, votes, stars],
    );
  };

  return {
    find: (courseId: ObjectId, userId: ObjectId): Promise<Rating | undefined> =>
      database.first(findRating, [courseId, userId]),
    /** Returns a rating with a review by its id. */
    findReview: (id: ObjectId): Promise<Rating | undefined> => database.first(findReview, [id]),
    /** Removes the review of a rating, whose stars go on counting. */
    async removeReview(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute(`update education.rating set review = null where ${ID} = $1`, [id]);
    },
    /** Returns ratings of a course, newest first, after a place if one is given; served by rating_of_course. */
    listOf: (courseId: ObjectId, { after, ...request }: PageRequest): Promise<Rating[]> =>
      database.all(
        `select ${RATING} from education.rating
         where course_id = $1 ${after ? 'and (created_at, user_id) < ($4::timestamptz, $5::text)' : ''}
         order by created_at desc, user_id desc limit $2 offset $3`,
        [courseId, request.limit, offsetOf(request), ...(after ? [after.at, after.id] : [])],
      ),
    async put(
      tx: Transaction,
      { courseId, userId, rating, review, updatedAt }: Omit<Rating, 'id' | 'createdAt'>,
    ): Promise<Rating> {
      const before = await tx.first(findRating, [courseId, userId]);
      await tx.execute(
        `insert into education.rating (course_id, user_id, rating, review, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5)
         on conflict (course_id, user_id) do update set rating = excluded.rating, review = excluded.review,
           updated_at = excluded.updated_at`,
        [courseId, userId, rating, review, updatedAt],
      );
      await count(tx, courseId, before ? 0 : 1, rating - (before?.rating ?? 0));
      return (await tx.first(findRating, [courseId, userId])) as Rating;
    },
    /** Deletes a rating; returns whether there was one. */
    async delete(tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<boolean> {
      const before = await tx.first(findRating, [courseId, userId]);
      if (!before) return false;
      await tx.execute('delete from education.rating where course_id = $1 and user_id = $2', [
        courseId,
        userId,
      ]);
      await count(tx, courseId, -1, -before.rating);
      return true;
    },
  };
}

export type RatingStore = ReturnType<typeof ratingStore>;
