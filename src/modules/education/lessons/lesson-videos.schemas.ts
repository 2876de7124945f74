import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { cursorQuery, DateTime, nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { NamedMemberShape } from '../../identity/contract.ts';

export const Caption = Type.Object({ lessonId: ObjectIdShape, language: Type.String({ examples: ['en'] }) });

/** Captions of an hour of speech have about 100,000 characters. */
const MAX_CAPTION_LENGTH = 240_000;

export const CompleteLessonUploadBody = Type.Object({
  fileKey: Type.String({ minLength: 1, maxLength: 500 }),
});

export const CompleteLessonUploadResult = Type.Object({
  lessonId: ObjectIdShape,
  fileKey: Type.String(),
  status: oneOf(['processing', 'complete', 'failed']),
  message: Type.String({ examples: ['The video is being processed'] }),
});

export const ListTroubledVideosQuery = Type.Object({
  ...cursorQuery({ limit: 50, maximum: 200, before: bodyId('video') }),
  status: Type.Optional(oneOf(['failed', 'processing'])),
});

export const TroubledVideo = Type.Object(
  {
    id: ObjectIdShape,
    status: oneOf(['failed', 'processing']),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    attempts: Type.Integer({ description: 'How often a worker has begun', examples: [3] }),
    error: nullable(
      Type.Object({
        code: Type.String({ examples: ['PROCESSING_FAILED'] }),
        message: Type.String({ examples: ['The video could not be processed'] }),
      }),
    ),
    retryableUntil: nullable({
      ...DateTime,
      description: 'Null if another attempt cannot help, or the uploaded file has been removed',
    }),
    lesson: nullable(
      Type.Object(
        {
          id: ObjectIdShape,
          title: Type.String({ examples: ['Candles'] }),
          courseId: ObjectIdShape,
          courseTitle: Type.String({ examples: ['Charts for beginners'] }),
        },
        { description: 'Null if it is being deleted' },
      ),
    ),
    educator: NamedMemberShape,
    createdAt: DateTime,
  },
  { $id: 'TroubledVideo' },
);

export const PutLessonCaptionsBody = Type.Object({
  text: Type.String({
    minLength: 6,
    maxLength: MAX_CAPTION_LENGTH,
    pattern: '^\\uFEFF?WEBVTT([ \\t\\n\\r]|$)',
    description: 'WebVTT',
    examples: ['WEBVTT\n\n00:00.000 --> 00:02.000\nWelcome.'],
  }),
});

export const LessonCaptions = Type.Object(
  { ...Caption.properties, text: Type.String({ description: 'WebVTT' }) },
  { $id: 'LessonCaptions' },
);
