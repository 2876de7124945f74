import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type OwnedVideo, videoCompleted, videoFailed } from '../../media/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { lessonPublished } from '../contract.ts';
import type { NoticedLesson } from './course-modules.model.ts';

/** Who may have been told of the videos of lessons. */
interface Told {
  /** The owner of their course. */
  ownerId: ObjectId;
  /** The videos that were deleted with them. */
  videos: OwnedVideo[];
}

/** Withdraws the notifications of lessons that members can no longer open. */
export function lessonNotices({ withdrawIn }: Pick<Notifications, 'withdrawIn'>) {
  /** Nobody was told of a lesson that was never published. */
  const published = ({ id: lessonId, status, createdAt, publishedAt }: NoticedLesson) =>
    publishedAt || status === 'published'
      ? [{ of: lessonPublished, about: { lessonId }, since: publishedAt ?? createdAt }]
      : [];

  /**
   * Whoever uploaded a video was told of it. A video that was removed is no longer known, but the lesson keeps its length:
   * the owner of the course then most likely uploaded it.
   */
  function aboutVideos(
    { id: lessonId, duration, createdAt: since }: NoticedLesson,
    { ownerId, videos }: Told,
  ) {
    const uploaders = videos.filter(({ subjectId }) => subjectId === lessonId).map((video) => video.ownerId);
    const told = new Set(duration > 0 ? [ownerId, ...uploaders] : uploaders);
    return [...told].flatMap((to) =>
      [videoCompleted, videoFailed].map((of) => ({ of, about: { lessonId }, since, to })),
    );
  }

  return {
    /** For a lesson that was taken back to draft, which only its owner still opens. */
    withdrawHidden: (tx: Transaction, lesson: NoticedLesson): Promise<void> =>
      withdrawIn(tx, published(lesson)),

    /** For lessons that were deleted. */
    withdrawDeleted: (tx: Transaction, lessons: NoticedLesson[], told: Told): Promise<void> =>
      withdrawIn(
        tx,
        lessons.flatMap((lesson) => [...published(lesson), ...aboutVideos(lesson, told)]),
      ),

    /** For lessons that were deleted with a course that never had students, whom their publication is told. */
    withdrawUnstudied: (tx: Transaction, lessons: NoticedLesson[], told: Told): Promise<void> =>
      withdrawIn(
        tx,
        lessons.flatMap((lesson) => aboutVideos(lesson, told)),
      ),
  };
}

export type LessonNotices = ReturnType<typeof lessonNotices>;
