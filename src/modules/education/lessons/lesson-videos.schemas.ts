import { Type } from 'typebox';
import { ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';

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
