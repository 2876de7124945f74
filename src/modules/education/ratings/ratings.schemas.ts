import { Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';

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

export const DeleteCourseRatingResult = Type.Object({ courseId: ObjectIdShape });
