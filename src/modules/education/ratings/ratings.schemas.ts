import { Type } from 'typebox';
import { cursorQuery, DateTime, nullable, ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { MemberShape } from '../../identity/contract.ts';

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

const { courseId: _, userId, ...given } = RatingShape.properties;

export const CourseReview = Type.Object({ userId, user: MemberShape, ...given }, { $id: 'CourseReview' });

export const ListCourseRatingsQuery = Type.Object(
  cursorQuery({
    before: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z_[0-9a-f]{24}$',
      examples: ['2026-11-21T09:30:00.000Z_6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    cursorOf: ['createdAt', 'userId'],
  }),
);

export const DeleteCourseRatingResult = Type.Object({ courseId: ObjectIdShape });
