import type { ObjectId } from '../../../kernel/ids.ts';

export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export const COURSE_STATUSES = ['draft', 'published', 'archived'] as const;
export const KEYS = 'Keys';

/** Maximum length of a description in lists. */
export const MAX_SUMMARY_LENGTH = 500;

export interface Course {
  id: ObjectId;
  ownerId: ObjectId;
  title: string;
  description: string;
  category: string;
  level: (typeof LEVELS)[number];
  price: number;
  currency: string;
  thumbnail: string | null;
  trailerUrl: string | null;
  requirements: string[];
  learningOutcomes: string[];
  tags: string[];
  syllabus: string[];
  status: (typeof COURSE_STATUSES)[number];
  /** Whether the owner may teach: otherwise a published course is neither listed nor sold. */
  ownerTeaches: boolean;
  moduleCount: number;
  lessonCount: number;
  duration: number;
  enrolledCount: number;
  rating: number;
  ratingCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface CourseFilter {
  category?: string;
  level?: Course['level'];
  status: Course['status'];
  /** Only courses of this owner. */
  ownerId?: ObjectId;
  /** Only courses whose owners may teach. */
  isTaught: boolean;
}

/** A course as listed, with the beginning of its description. */
export type CourseSummary = Omit<Course, 'requirements' | 'learningOutcomes' | 'syllabus'>;

/** What a member has given a course. */
export interface OwnRating {
  /** One to five stars. */
  rating: number;
  review: string | null;
}
