import { isDeepStrictEqual } from 'node:util';
import type { Core } from '../../../kernel/core.ts';
import { type FieldFault, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import type { RightParts } from '../../../kernel/operations/right-parts.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import { instantOf } from '../../../kernel/time/time.ts';
import type { Course } from '../courses/courses.model.ts';
import { quizChanged, quizNotFound } from '../failures.ts';
import type { InterveneInLesson } from '../lessons/lesson-interventions.ts';
import type { Lesson } from '../lessons/lessons.model.ts';
import type { KeepLesson } from '../lessons/lessons.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Question, Quiz } from './quizzes.model.ts';
import type { QuizStore } from './quizzes.store.ts';

interface QuizDeps extends Pick<Core, 'database' | 'clock'> {
  store: QuizStore;
  progress: ProgressRules;
  keepLesson: KeepLesson;
  intervene: InterveneInLesson;
}

type Content = Pick<Quiz, 'passingScore' | 'questions'>;

/** What a member answers, and to which quiz: its `updatedAt`, if they name it. */
interface Attempted {
  answers: number[][];
  quizUpdatedAt?: string;
}

/** The result of an attempt: the score in per cent, and whether each question was answered correctly. */
export interface AttemptResult {
  score: number;
  passed: boolean;
  /** Counted from 1 per member and lesson. */
  attempt: number;
  correct: boolean[];
}

/** Quizzes of lessons: written by the owner; enrolled members have unlimited attempts. */
export function quizRules({ store, progress, keepLesson, intervene, database, clock }: QuizDeps) {
  /** @throws quizNotFound */
  async function find(lessonId: ObjectId): Promise<Quiz> {
    const quiz = await store.find(lessonId);
    if (!quiz) throw quizNotFound();
    return quiz;
  }

  return {
    find,
    /** Replaces the quiz; earlier attempts keep their results. @throws lessonNotFound, changedMeanwhile, 422 */
    async put(lesson: Lesson, { expectedUpdatedAt, ...quiz }: Content & AsRead, actor: Actor): Promise<Quiz> {
      const faults = questionFaults(quiz.questions);
      if (faults.length > 0) throw validationFailed(faults);
      const { id: lessonId } = lesson;
      return database.transaction(async (tx) => {
        await keepLesson(tx, lessonId);
        const before = await store.lock(tx, lessonId);
        // Members who are answering the same quiz are not refused: it keeps its time.
        if (before && isSameQuiz(before, quiz)) return before;
        mustBeAsRead(before, { expectedUpdatedAt });
        const saved: Quiz = { ...quiz, lessonId, updatedAt: timeOfChange(clock, before) };
        await store.put(tx, saved);
        await intervene(tx, actor, lesson, { recordedAs: 'quiz-changed' });
        return saved;
      });
    },
    /** Removes the quiz; attempts keep their results. @throws lessonNotFound, quizNotFound */
    delete: (lesson: Lesson, actor: Actor): Promise<{ lessonId: ObjectId }> =>
      database.transaction(async (tx) => {
        const { id: lessonId } = lesson;
        await keepLesson(tx, lessonId);
        if (!(await store.delete(tx, lessonId))) throw quizNotFound();
        await intervene(tx, actor, lesson, { recordedAs: 'quiz-removed' });
        return { lessonId };
      }),
    /**
     * Marks answers to the present quiz. Those to a quiz that the member saw at another `quizUpdatedAt` are refused, since
     * its questions may have been others.
     * @throws lessonNotFound, quizNotFound, quizChanged, notEnrolled, 422 when the number of answers differs from that of
     * questions
     */
    attempt: (
      { lessonId, course }: { lessonId: ObjectId; course: Course },
      userId: ObjectId,
      { answers, quizUpdatedAt }: Attempted,
      idempotency = notIdempotent,
    ): Promise<AttemptResult> =>
      progress.inLesson(lessonId, course.id, userId, async (tx) => {
        const quiz = await store.keep(tx, lessonId);
        if (!quiz) throw quizNotFound();
        if (quizUpdatedAt !== undefined && instantOf(quizUpdatedAt).getTime() !== quiz.updatedAt.getTime())
          throw quizChanged();
        if (answers.length !== quiz.questions.length)
          throw validationFailed([{ field: 'answers', message: `must have ${quiz.questions.length} items` }]);
        const { score, correct } = marked(quiz.questions, answers);
        const passed = score >= quiz.passingScore;
        const attempt = await store.insertAttempt(tx, {
          lessonId,
          userId,
          answers,
          score,
          passed,
          createdAt: clock.date(),
        });
        if (passed) await progress.completeCourse(tx, course.id, userId);
        return answered(tx, { idempotency }, { score, passed, attempt, correct });
      }),
  };
}

export type QuizRules = ReturnType<typeof quizRules>;

/** Whether two quizzes ask and accept the same; the order of correct options says nothing. */
const isSameQuiz = (one: Content, other: Content): boolean => isDeepStrictEqual(inOrder(one), inOrder(other));

const inOrder = ({ passingScore, questions }: Content): Content => ({
  passingScore,
  questions: questions.map((question) => ({ ...question, correct: question.correct.toSorted() })),
});

/** Returns the faults of questions whose correct options do not exist. */
export const questionFaults = (questions: RightParts<Question[]>): FieldFault[] =>
  questions.flatMap(({ options, correct = [] } = {}, place) =>
    options && correct.some((index = 0) => index >= options.length)
      ? [
          {
            field: `questions.${place}.correct`,
            message: 'contains the index of an option that does not exist',
          },
        ]
      : [],
  );

/** Marks answers: a question is correct if exactly its correct options were chosen, in any order. */
export function marked(
  questions: Pick<Question, 'correct'>[],
  answers: number[][],
): { score: number; correct: boolean[] } {
  const correct = questions.map(({ correct: expected }, place) => {
    const given = new Set(answers[place]);
    return given.size === new Set(expected).size && expected.every((index) => given.has(index));
  });
  const right = correct.filter(Boolean).length;
  return { score: Math.round((10_000 * right) / questions.length) / 100, correct };
}
