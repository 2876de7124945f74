import { Type } from 'typebox';
import { failure, insufficientPermissions } from '../../kernel/failures.ts';
import { educator, member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { LARGE_BODY_BYTES, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { ObjectIdShape, oneOf, refusedAs } from '../../kernel/operations/shapes.ts';
import {
  UploadInBody,
  UploadTicket,
  uploadMismatch,
  uploadMissing,
  uploadNotFound,
  videoNotProcessing,
} from '../media/contract.ts';
import { captionNotFound, lessonNotFound } from './failures.ts';
import type { LessonVideoRules } from './lesson-videos.ts';
import { LessonVideo } from './lessons.schemas.ts';
import type { LessonRules } from './lessons.ts';

const tag = 'Lesson videos';
const params = Type.Object({ lessonId: pathId('lesson') });
const captionParams = Type.Object({
  lessonId: pathId('lesson'),
  language: refusedAs(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      description: 'A language tag of BCP 47',
      examples: ['en'],
    }),
    failure(400, 'INVALID_LANGUAGE', 'Invalid language'),
  ),
});
const failures = [lessonNotFound, insufficientPermissions];
const Caption = Type.Object({ lessonId: ObjectIdShape, language: Type.String({ examples: ['en'] }) });

/** Captions of an hour of speech have about 100,000 characters. */
const MAX_CAPTION_LENGTH = 240_000;

export const lessonVideoOperations = (lessons: LessonRules, videos: LessonVideoRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/request-upload-url',
    id: 'requestLessonUpload',
    tag,
    summary: 'Ask where to upload the video of a lesson',
    description:
      'Send the file to `uploadUrl` as `instructions` say, then call complete-upload. The storage refuses another type or length than announced, and anything after `expiresIn` seconds.',
    access: educator,
    params,
    body: UploadInBody,
    success: ok(UploadTicket, { message: 'Upload URL created' }),
    failures,
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, body, caller }) => videos.requestUpload(loaded, caller, body),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/complete-upload',
    id: 'completeLessonUpload',
    tag,
    summary: 'Say that the video has been uploaded',
    description:
      'What has arrived is checked, and its processing begins. The former video plays until the new one is complete.',
    access: educator,
    params,
    body: Type.Object({ fileKey: Type.String({ minLength: 1, maxLength: 500 }) }),
    success: ok(
      Type.Object({
        lessonId: ObjectIdShape,
        fileKey: Type.String(),
        status: oneOf(['processing', 'complete', 'failed']),
        message: Type.String({ examples: ['The video is being processed'] }),
      }),
      { message: 'Upload completed' },
    ),
    failures: [...failures, uploadNotFound, uploadMissing, uploadMismatch],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, body }) => videos.completeUpload(loaded, body.fileKey),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/video-status',
    id: 'getLessonVideo',
    tag,
    summary: 'How far the video of a lesson is, and its links',
    description: 'The status is null before the first upload. Links are shown as the lesson shows them.',
    access: member,
    params,
    success: ok(LessonVideo),
    failures: [lessonNotFound],
    handle: async ({ params, caller }) =>
      videos.status(await lessons.visible(params.lessonId, caller), caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/video/cancel',
    id: 'cancelLessonVideo',
    tag,
    summary: 'Stop processing the video of a lesson',
    access: educator,
    params,
    success: ok(LessonVideo, { message: 'Processing cancelled' }),
    failures: [...failures, videoNotProcessing],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller }) => videos.cancel(loaded, caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/captions/:language',
    id: 'putLessonCaptions',
    tag,
    summary: 'Set the captions of a lesson in one language',
    access: educator,
    params: captionParams,
    body: Type.Object({
      text: Type.String({
        minLength: 6,
        maxLength: MAX_CAPTION_LENGTH,
        pattern: '^\\uFEFF?WEBVTT([ \\t\\n\\r]|$)',
        description: 'WebVTT',
        examples: ['WEBVTT\n\n00:00.000 --> 00:02.000\nWelcome.'],
      }),
    }),
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(Caption, { message: 'Captions saved' }),
    failures,
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, params, body }) => videos.setCaption(loaded, params.language, body.text),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/lessons/:lessonId/captions/:language',
    id: 'deleteLessonCaptions',
    tag,
    summary: 'Remove the captions of a lesson in one language',
    access: educator,
    params: captionParams,
    success: ok(Caption, { message: 'Captions removed' }),
    failures: [...failures, captionNotFound],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, params }) => videos.removeCaption(loaded, params.language),
  }),
];
