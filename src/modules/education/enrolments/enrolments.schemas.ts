import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';

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

/** In the query or, as of other writes, in the body. */
export const EnrolInput = Type.Object({
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
