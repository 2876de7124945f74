import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';

export const ProgressInBody = Type.Object({
  positionSeconds: Type.Integer({ minimum: 0, maximum: 360_000, examples: [95] }),
  completed: Type.Optional(Type.Boolean()),
});

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
