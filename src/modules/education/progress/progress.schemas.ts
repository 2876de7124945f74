import { type Static, Type } from 'typebox';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import { DateTime, InstantText, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { CourseSummary } from '../courses/courses.schemas.ts';

export const ProgressInBody = Type.Object({
  positionSeconds: Type.Integer({
    minimum: 0,
    maximum: 360_000,
    description: 'Where a video has an end, nothing beyond it is stored',
    examples: [95],
  }),
  completed: Type.Optional(Type.Boolean()),
  at: Type.Optional({
    ...InstantText,
    description:
      'When you were at this position; now by default. A position that is older than the stored one is ignored, but not `completed`',
    examples: ['2026-11-21T09:30:00.000Z'],
  }),
});
export type ProgressInBody = Static<typeof ProgressInBody>;

export const LessonProgressShape = Type.Object(
  {
    lessonId: ObjectIdShape,
    positionSeconds: Type.Integer({ examples: [95] }),
    completed: Type.Boolean(),
    completedAt: nullable(DateTime),
  },
  { $id: 'LessonProgress' },
);

export const CourseProgressShape = Type.Object(
  {
    courseId: ObjectIdShape,
    lessonsCompleted: Type.Integer({ examples: [3] }),
    lessonCount: Type.Integer({ examples: [12] }),
    percentage: Type.Integer({
      description: 'Of the lessons alone: 0 to 100, rounded down',
      examples: [25],
    }),
    quizzesPassed: Type.Integer({ examples: [1] }),
    quizCount: Type.Integer({
      description: 'Number of quizzes in the published lessons; all must be passed',
      examples: [2],
    }),
    completedAt: nullable(DateTime),
    lessons: Type.Array(LessonProgressShape),
  },
  { $id: 'CourseProgress' },
);

const { courseId: _, lessons: __, ...summary } = CourseProgressShape.properties;

export const EnrolledCourse = Type.Object(
  {
    ...CourseSummary.properties,
    enrolledAt: DateTime,
    completedAt: nullable(DateTime),
    progress: Type.Object(
      {
        ...summary,
        lastStudiedAt: nullable({
          ...DateTime,
          description: 'When you last saved progress in one of its lessons; null if you never have',
        }),
      },
      { description: 'Your progress, as `GET /v1/courses/{courseId}/progress` counts it' },
    ),
  },
  { $id: 'EnrolledCourse' },
);

export const ListEnrolledCoursesQuery = Type.Object(momentQuery(['enrolledAt', 'id'], { limit: 10 }));
