import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { videoCompleted, videoFailed } from '../../media/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { lessonPublished } from '../contract.ts';

/** When a lesson was made and first published; the latter is unknown of lessons that are older than the record of it. */
export interface DatedLesson {
  id: ObjectId;
  createdAt: Date;
  publishedAt: Date | null;
}

/** Withdraws the notifications of lessons that members can no longer open. */
export function lessonNotices({ withdrawIn }: Pick<Notifications, 'withdrawIn'>) {
  const published = ({ id: lessonId, createdAt, publishedAt }: DatedLesson) => ({
    of: lessonPublished,
    about: { lessonId },
    since: publishedAt ?? createdAt,
  });

  return {
    /** For a lesson that was taken back to draft, which only its owner still opens. */
    withdrawHidden: (tx: Transaction, lesson: DatedLesson): Promise<void> =>
      withdrawIn(tx, [published(lesson)]),

    /** For lessons that were deleted, whose videos the owner was told of. */
    withdrawDeleted: (tx: Transaction, lessons: DatedLesson[], ownerId: ObjectId): Promise<void> =>
      withdrawIn(
        tx,
        lessons.flatMap((lesson) => [
          published(lesson),
          ...[videoCompleted, videoFailed].map((of) => ({
            of,
            about: { lessonId: lesson.id },
            since: lesson.createdAt,
            to: ownerId,
          })),
        ]),
      ),
  };
}

export type LessonNotices = ReturnType<typeof lessonNotices>;
