import type { Database } from '../../../kernel/database/database.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Quiz } from './quizzes.model.ts';

interface Attempt {
  lessonId: ObjectId;
  userId: ObjectId;
  answers: number[][];
  score: number;
  passed: boolean;
  createdAt: Date;
}

const QUIZ = `lesson_id as "lessonId", passing_score as "passingScore", questions, updated_at as "updatedAt"`;

const findQuiz = statement<Quiz>(
  'education.find-quiz',
  `select ${QUIZ} from education.quiz where lesson_id = $1`,
);
const keepQuiz = statement<Quiz>(
  'education.keep-quiz',
  `select ${QUIZ} from education.quiz where lesson_id = $1 for share`,
);
const lockQuiz = statement<Quiz>(
  'education.lock-quiz',
  `select ${QUIZ} from education.quiz where lesson_id = $1 for no key update`,
);
const insertAttempt = statement<{ attempt: number }>(
  'education.insert-attempt',
  `insert into education.quiz_attempt (user_id, lesson_id, attempt, answers, score, passed, created_at)
   select $1::text, $2::text, coalesce(max(attempt), 0) + 1, $3::jsonb, $4::numeric, $5::boolean, $6::timestamptz
   from education.quiz_attempt where user_id = $1::text and lesson_id = $2::text
   returning attempt`,
);

/** SQL of quizzes and attempts; attempts must be written with the member's enrolment locked. */
export function quizStore(database: Database) {
  return {
    find: (lessonId: ObjectId): Promise<Quiz | undefined> => database.first(findQuiz, [lessonId]),
    /** Returns the quiz of a lesson, which does not change until the transaction ends. */
    keep: (tx: Transaction, lessonId: ObjectId): Promise<Quiz | undefined> => tx.first(keepQuiz, [lessonId]),
    /** Locks the quiz of a lesson against changes until the transaction ends, and returns it if there is one. */
    lock: (tx: Transaction, lessonId: ObjectId): Promise<Quiz | undefined> => tx.first(lockQuiz, [lessonId]),
    /** Replaces the quiz of a lesson, which the caller must keep. */
    async put(tx: Transaction, { lessonId, passingScore, questions, updatedAt }: Quiz): Promise<void> {
      await tx.execute(
        `insert into education.quiz (lesson_id, passing_score, questions, updated_at) values ($1, $2, $3, $4)
         on conflict (lesson_id) do update set passing_score = excluded.passing_score,
           questions = excluded.questions, updated_at = excluded.updated_at`,
        [lessonId, passingScore, JSON.stringify(questions), updatedAt],
      );
    },
    /** Deletes the quiz of a lesson, but no attempts; returns whether there was one. */
    delete: async (tx: Transaction, lessonId: ObjectId): Promise<boolean> =>
      (await tx.execute('delete from education.quiz where lesson_id = $1', [lessonId])) > 0,
    /** Inserts an attempt and returns its number. */
    async insertAttempt(tx: Transaction, attempt: Attempt): Promise<number> {
      const { userId, lessonId, answers, score, passed, createdAt } = attempt;
      const values = [userId, lessonId, JSON.stringify(answers), score, passed, createdAt];
      return (await tx.first(insertAttempt, values))?.attempt ?? 1;
    },
  };
}

export type QuizStore = ReturnType<typeof quizStore>;
