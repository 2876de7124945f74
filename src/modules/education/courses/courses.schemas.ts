import { type Static, Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  cursorQuery,
  DateTime,
  HttpUrl,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../../kernel/operations/shapes.ts';
import { NamedMemberShape } from '../../identity/contract.ts';
import { COURSE_STATUSES, KEYS, LEVELS, MAX_SUMMARY_LENGTH } from './courses.model.ts';

/** Who may change a course and its contents, as the reference says it. */
export const BY_OWNER =
  'Requires the owner of the course, or an administrator, who tells the owner the `reason`.';

const MAX_LIST_ITEMS = 50;
const texts = (maxLength: number, examples: string[]) =>
  Type.Array(readableText(maxLength), { maxItems: MAX_LIST_ITEMS, examples: [examples] });

const Level = oneOf(LEVELS, { examples: ['beginner'] });
const CourseStatus = oneOf(COURSE_STATUSES, { examples: ['published'] });
const Title = nameText(200, { examples: ['Reading the tape'] });
const Price = Type.Number({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'A whole number of Keys, or an amount of the currency with at most two decimals',
  examples: [25],
});
const Currency = Type.String({
  maxLength: 8,
  documented: { pattern: '^(Keys|[A-Z]{3})$' },
  description: '`Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols',
  examples: [KEYS],
});

const optionalFields = {
  description: Type.Optional(optionalText(10_000, { examples: ['From bids and offers to trades.'] })),
  category: Type.Optional(optionalText(100, { examples: ['basics'] })),
  level: Type.Optional(Level),
  price: Type.Optional(Price),
  currency: Type.Optional(Currency),
  thumbnail: Type.Optional(nullable(HttpUrl)),
  trailerUrl: Type.Optional(nullable(HttpUrl)),
  requirements: Type.Optional(texts(500, ['A demo account'])),
  learningOutcomes: Type.Optional(texts(500, ['Read an order book'])),
  tags: Type.Optional(texts(50, ['futures'])),
  syllabus: Type.Optional(texts(500, ['What a tape is'])),
  status: Type.Optional(CourseStatus),
};
export const CourseInBody = Type.Object({ title: Title, ...optionalFields });
export type CourseDraft = Static<typeof CourseInBody>;
export const CourseChangesInBody = Type.Object({
  title: Type.Optional(Title),
  ...optionalFields,
  ...asRead,
});
export type CourseChanges = Static<typeof CourseChangesInBody>;

const summary = {
  id: ObjectIdShape,
  title: Type.String({ examples: ['Reading the tape'] }),
  description: Type.String(),
  instructor: NamedMemberShape,
  category: Type.String({ examples: ['basics'] }),
  level: Level,
  duration: Type.Integer({
    description: 'Total length of the published lessons, in seconds',
    examples: [5400],
  }),
  moduleCount: Type.Integer({ examples: [3] }),
  lessonCount: Type.Integer({ description: 'Number of published lessons', examples: [12] }),
  enrolledCount: Type.Integer({ examples: [240] }),
  rating: Type.Number({ description: '0 to 5 with one decimal; 0 without ratings', examples: [4.7] }),
  ratingCount: Type.Integer({ description: 'Number of ratings', examples: [31] }),
  price: Type.Number({ examples: [25] }),
  currency: Currency,
  priceKeys: nullable(
    Type.Integer({
      description:
        'The price in Keys at the current rate, to be sent as `maxKeys`; null if the currency has no exchange rate, so that nobody can enrol',
      examples: [25],
    }),
  ),
  thumbnail: nullable(Type.String()),
  trailerUrl: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  status: CourseStatus,
  enrolled: Type.Boolean({ description: 'Whether you are enrolled in the course' }),
  createdAt: DateTime,
  updatedAt: DateTime,
};
export const CourseSummary = Type.Object(
  {
    ...summary,
    description: Type.String({ description: `The first ${MAX_SUMMARY_LENGTH} characters` }),
  },
  { $id: 'CourseSummary' },
);

export const CourseModule = Type.Object(
  {
    id: ObjectIdShape,
    courseId: ObjectIdShape,
    title: Type.String({ examples: ['Foundations'] }),
    order: Type.Integer({ description: 'From 1', examples: [1] }),
    lessonCount: Type.Integer({ description: 'Number of published lessons', examples: [4] }),
    duration: Type.Integer({
      description: 'Total length of the published lessons, in seconds',
      examples: [1800],
    }),
    updatedAt: DateTime,
  },
  { $id: 'CourseModule' },
);

export const CourseDetail = Type.Object(
  {
    ...summary,
    requirements: Type.Array(Type.String()),
    learningOutcomes: Type.Array(Type.String()),
    syllabus: Type.Array(Type.String()),
    modules: Type.Array(CourseModule),
    ownRating: nullable(
      Type.Object(
        { rating: Type.Integer({ examples: [5] }), review: nullable(Type.String()) },
        { description: 'Your rating' },
      ),
    ),
  },
  { $id: 'Course' },
);

const Order = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: 'The position among its siblings, from 1; last by default',
  examples: [1],
});
export const ModuleInBody = Type.Object({ title: Title, order: Type.Optional(Order) });
export const ModuleChangesInBody = Type.Object({
  title: Type.Optional(Title),
  order: Type.Optional(Order),
  ...asRead,
});
export type ModuleChanges = Static<typeof ModuleChangesInBody>;
export { Order, Title };

export const CourseOwnerBody = Type.Object({ userId: bodyId('user') });

export const ListCoursesQuery = Type.Object({
  ...cursorQuery({ limit: 10 }),
  category: Type.Optional(Type.String({ maxLength: 100 })),
  level: Type.Optional(Level),
  status: Type.Optional(CourseStatus),
  instructorId: Type.Optional(bodyId('educator')),
});

export const DeleteCourseResult = Type.Object({ id: ObjectIdShape, status: oneOf(['deleted', 'archived']) });
