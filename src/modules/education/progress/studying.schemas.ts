import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, pageQuery } from '../../../kernel/operations/shapes.ts';
import { CourseSummary } from '../courses/courses.schemas.ts';

export const EnrolmentShape = Type.Object(
  {
    courseId: ObjectIdShape,
    userId: ObjectIdShape,
    paidKeys: Type.Integer({ description: 'The price that was paid, in Keys', examples: [25] }),
    transactionId: nullable(Type.String()),
    enrolledAt: DateTime,
    completedAt: nullable(DateTime),
  },
  { $id: 'Enrolment' },
);
export const EnrolledCourse = Type.Object(
  { ...CourseSummary.properties, enrolledAt: DateTime, completedAt: nullable(DateTime) },
  { $id: 'EnrolledCourse' },
);
export const EnrolQuery = Type.Object({
  maxKeys: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The most Keys that you agree to pay; any price by default',
      examples: [25],
    }),
  ),
});
export const LeftCourse = Type.Object({ courseId: ObjectIdShape });

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
    percentage: Type.Integer({ description: '0 to 100, rounded down', examples: [25] }),
    completedAt: nullable(DateTime),
    lessons: Type.Array(LessonProgressShape),
  },
  { $id: 'CourseProgress' },
);

export const RatingInBody = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
  review: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
});
export const RatingShape = Type.Object(
  {
    courseId: ObjectIdShape,
    userId: ObjectIdShape,
    rating: Type.Integer({ examples: [5] }),
    review: nullable(Type.String()),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'CourseRating' },
);

export const CertificateShape = Type.Object(
  {
    certificateId: ObjectIdShape,
    courseId: ObjectIdShape,
    userId: ObjectIdShape,
    name: Type.String({ examples: ['Ada L'] }),
    courseTitle: Type.String({ examples: ['Reading the tape'] }),
    completedAt: DateTime,
    verifyUrl: Type.String({
      format: 'http-url',
      description: 'A public page that shows whether the certificate is genuine',
    }),
  },
  { $id: 'Certificate' },
);

export const ListEnrolledCoursesQuery = Type.Object(pageQuery({ limit: 10 }));
