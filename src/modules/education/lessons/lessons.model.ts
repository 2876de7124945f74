import type { ObjectId } from '../../../kernel/ids.ts';
import { VIDEO_GAPS } from '../../media/contract.ts';

export const LESSON_STATUSES = ['draft', 'published'] as const;
export const RESOURCE_TYPES = ['pdf', 'doc', 'link'] as const;
/** Reasons why a member has no video to play. */
export const VIDEO_UNAVAILABLE = ['not-entitled', ...VIDEO_GAPS] as const;
export type VideoUnavailable = (typeof VIDEO_UNAVAILABLE)[number];

export const MAX_LESSONS_OF_COURSE = 1_000;

/** Maximum number of a lesson's resources in lists. */
export const MAX_LISTED_RESOURCES = 5;

/** A file or page that belongs to a lesson. */
interface Resource {
  url: string;
  type: (typeof RESOURCE_TYPES)[number];
}

export interface Lesson {
  id: ObjectId;
  moduleId: ObjectId;
  courseId: ObjectId;
  title: string;
  description: string;
  order: number;
  duration: number;
  hasVideo: boolean;
  thumbnailUrl: string | null;
  downloadUrl: string | null;
  resources: Resource[];
  preview: boolean;
  status: (typeof LESSON_STATUSES)[number];
  viewCount: number;
  /** When it was first published; null also for lessons published before this was recorded. */
  publishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  quiz: { questions: number; passingScore: number } | null;
}

/** What a member has reached in a quiz. */
export interface QuizResult {
  /** Whether an attempt passed, by the passing score of its time. */
  passed: boolean;
  /** In per cent; null without attempts. */
  bestScore: number | null;
  attempts: number;
}

/** A lesson as listed, with the beginning of its description and its first resources. */
export interface LessonSummary extends Lesson {
  resourceCount: number;
}

/** A lesson in the outline of its course. */
export type OutlinedLesson = Pick<
  Lesson,
  'id' | 'moduleId' | 'title' | 'order' | 'duration' | 'thumbnailUrl' | 'preview' | 'status' | 'quiz'
>;
