import { Type } from 'typebox';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import { DateTime, nullable, ObjectIdShape, optionalText } from '../../../kernel/operations/shapes.ts';
import { MemberShape } from '../../identity/contract.ts';

export const RatingInBody = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
  review: Type.Optional(nullable(optionalText(2000))),
});

export const RatingShape = Type.Object(
  {
    id: ObjectIdShape,
    courseId: ObjectIdShape,
    userId: ObjectIdShape,
    rating: Type.Integer({ examples: [5] }),
    review: nullable(Type.String()),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'CourseRating' },
);

const { courseId: _, id, userId, ...given } = RatingShape.properties;

export const CourseReview = Type.Object({ id, userId, user: MemberShape, ...given }, { $id: 'CourseReview' });

export const ListCourseRatingsQuery = Type.Object(momentQuery(['createdAt', 'userId']));

export const DeleteCourseRatingResult = Type.Object({ courseId: ObjectIdShape });
