import { type Static, Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  DateTime,
  HttpUrl,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
} from '../../../kernel/operations/shapes.ts';
import { VideoStatus } from '../../media/contract.ts';
import { MAX_SUMMARY_LENGTH } from '../courses/courses.model.ts';
import { Order, Title } from '../courses/courses.schemas.ts';
import { LESSON_STATUSES, MAX_LISTED_RESOURCES, RESOURCE_TYPES, VIDEO_UNAVAILABLE } from './lessons.model.ts';

const LessonStatus = oneOf(LESSON_STATUSES, { examples: ['published'] });
const Resource = Type.Object({ url: HttpUrl, type: oneOf(RESOURCE_TYPES) }, { $id: 'LessonResource' });

const optionalFields = {
  description: Type.Optional(optionalText(10_000)),
  order: Type.Optional(Order),
  duration: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 360_000,
      description: 'Length in seconds; that of the video once there is one',
      examples: [600],
    }),
  ),
  thumbnailUrl: Type.Optional(nullable(HttpUrl)),
  downloadUrl: Type.Optional(nullable(HttpUrl)),
  resources: Type.Optional(Type.Array(Resource, { maxItems: 50 })),
  preview: Type.Optional(Type.Boolean({ description: 'Whether members who are not enrolled can open it' })),
  status: Type.Optional(LessonStatus),
};
export const LessonInBody = Type.Object({ moduleId: bodyId('module'), title: Title, ...optionalFields });
export type LessonDraft = Static<typeof LessonInBody>;
export const LessonChangesInBody = Type.Object({
  moduleId: Type.Optional(bodyId('module')),
  title: Type.Optional(Title),
  ...optionalFields,
  ...asRead,
});
export type LessonChanges = Static<typeof LessonChangesInBody>;

/** The quiz of a lesson with the caller's result in it. */
const LessonQuiz = Type.Object(
  {
    questions: Type.Integer({ description: 'Number of questions', examples: [10] }),
    passingScore: Type.Integer({ description: 'The percentage needed to pass', examples: [80] }),
    passed: Type.Boolean({ description: 'Whether you passed' }),
    bestScore: nullable(Type.Number({ description: '0 to 100; null without attempts', examples: [90] })),
    attempts: Type.Integer({ description: 'Number of your attempts', examples: [2] }),
  },
  { $id: 'LessonQuiz' },
);

export const LessonShape = Type.Object(
  {
    id: ObjectIdShape,
    moduleId: ObjectIdShape,
    courseId: ObjectIdShape,
    title: Type.String({ examples: ['What a tape is'] }),
    description: Type.String(),
    order: Type.Integer({ description: 'From 1', examples: [1] }),
    duration: Type.Integer({ description: 'Seconds', examples: [600] }),
    videoUrl: nullable(
      Type.String({ description: 'The HLS master playlist; if it is null, `videoUnavailable` says why' }),
    ),
    videoUnavailable: nullable(
      oneOf(VIDEO_UNAVAILABLE, {
        description:
          'Why there is no `videoUrl`; null if there is one. `not-entitled`: only members who are enrolled in the course may watch. `none`: no video has been uploaded. `processing`: its first video is not ready yet. `failed`: its video could not be processed, and the educator has to upload it again',
      }),
    ),
    thumbnailUrl: nullable(Type.String()),
    downloadUrl: nullable(Type.String()),
    resources: Type.Array(Resource),
    quiz: nullable(LessonQuiz),
    captions: Type.Array(Type.String(), { description: 'Languages', examples: [['en']] }),
    preview: Type.Boolean(),
    status: LessonStatus,
    viewCount: Type.Integer({ description: 'Number of members who started the lesson', examples: [87] }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Lesson' },
);
export type LessonView = Static<typeof LessonShape>;

export const LessonSummary = Type.Object(
  {
    ...LessonShape.properties,
    description: Type.String({ description: `The first ${MAX_SUMMARY_LENGTH} characters` }),
    resources: Type.Array(Resource, { description: `The first ${MAX_LISTED_RESOURCES}` }),
    resourceCount: Type.Integer({
      description: 'Number of resources of the lesson; 0 if you may not access them',
      examples: [2],
    }),
  },
  { $id: 'LessonSummary' },
);
export type LessonSummaryView = Static<typeof LessonSummary>;

export const LessonVideo = Type.Object(
  { lessonId: ObjectIdShape, ...VideoStatus.properties },
  { $id: 'LessonVideo' },
);

export const ListLessonsQuery = Type.Object({ moduleId: bodyId('module') });
