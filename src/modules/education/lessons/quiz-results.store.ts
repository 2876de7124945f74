import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { QuizResult } from './lessons.model.ts';

/**
 * Selects the results in quizzes of a member, whose attempts are numbered without gaps; served by the primary key,
 * quiz_attempt_best and quiz_attempt_passed, however many attempts there are.
 */
const resultsOf = statement<QuizResult & { lessonId: ObjectId }>(
  'education.quiz-results',
  `select asked.id as "lessonId",
     exists (select from education.quiz_attempt a where a.user_id = $2 and a.lesson_id = asked.id and a.passed) as passed,
     (select max(score) from education.quiz_attempt a where a.user_id = $2 and a.lesson_id = asked.id) as "bestScore",
     coalesce((select max(attempt) from education.quiz_attempt a where a.user_id = $2 and a.lesson_id = asked.id), 0)
       as attempts
   from unnest($1::text[]) as asked (id)`,
);

/** SQL of members' results in the quizzes of lessons; attempts are written above lessons. */
export function quizResultStore(database: Database) {
  return {
    /** Returns a member's quiz results by the ids of these lessons. */
    async of(lessonIds: ObjectId[], userId: ObjectId): Promise<Map<ObjectId, QuizResult>> {
      const rows = await database.all(resultsOf, [lessonIds, userId]);
      return new Map(rows.map(({ lessonId, ...result }) => [lessonId, result]));
    },
  };
}

export type QuizResultStore = ReturnType<typeof quizResultStore>;
