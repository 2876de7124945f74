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

export const ListEnrolledCoursesQuery = Type.Object(pageQuery({ limit: 10 }));
