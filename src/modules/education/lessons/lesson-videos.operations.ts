import { Type } from 'typebox';
import { storageNotConfigured } from '../../../external/storage/port.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import {
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { refusedAs } from '../../../kernel/operations/shapes.ts';
import { educator } from '../../identity/contract.ts';
import {
  UploadTicket,
  uploadMismatch,
  uploadMissing,
  uploadNotFound,
  uploadQuotaExceeded,
  uploadReplaced,
  VideoUploadBody,
  videoNotFailed,
  videoNotFound,
  videoNotProcessing,
  videoNotRetryable,
} from '../../media/contract.ts';
import { BY_OWNER } from '../courses/courses.schemas.ts';
import {
  captionNotFound,
  captionsTooLarge,
  invalidLanguage,
  lessonNotFound,
  tooManyCaptions,
} from '../failures.ts';
import {
  Caption,
  CompleteLessonUploadBody,
  CompleteLessonUploadResult,
  LessonCaptions,
  ListTroubledVideosQuery,
  PutLessonCaptionsBody,
  TroubledVideo,
} from './lesson-videos.schemas.ts';
import type { LessonVideoRules } from './lesson-videos.ts';
import { LessonVideo } from './lessons.schemas.ts';
import type { LessonRules } from './lessons.ts';

const tag = 'Lesson videos';
const params = Type.Object({ lessonId: pathId('lesson') });
const captionParams = Type.Object({
  lessonId: pathId('lesson'),
  language: refusedAs(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      description: 'A BCP 47 language tag, in any case; answers have its canonical form',
      examples: ['en'],
    }),
    invalidLanguage,
  ),
});
const failures = [lessonNotFound, insufficientPermissions];

export const lessonVideoOperations = (lessons: LessonRules, videos: LessonVideoRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/request-upload-url',
    id: 'requestLessonUpload',
    tag,
    summary: 'Create an upload for the video of a lesson',
    description:
      'Send the file to `uploadUrl` as described by `instructions`, then call complete-upload. The storage rejects files that differ from the announced type or length, and uploads after `expiresIn` seconds.',
    access: educator,
    params,
    body: VideoUploadBody,
    success: ok(UploadTicket, { message: 'Upload URL created' }),
    failures: [...failures, uploadQuotaExceeded, storageNotConfigured],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    faults: ({ body }) => videos.uploadFaults(body),
    handle: ({ loaded, body, caller }) => videos.requestUpload(loaded, caller, body),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/complete-upload',
    id: 'completeLessonUpload',
    tag,
    summary: 'Complete the upload of a video',
    description: `Checks the uploaded file and starts processing it. The previous video remains playable until the new one is ready. An upload that was requested before the one whose video plays or is being processed is refused. ${BY_OWNER}`,
    access: educator,
    isAlsoForStaff: true,
    params,
    isRepeatable: true,
    body: CompleteLessonUploadBody,
    success: ok(CompleteLessonUploadResult, { message: 'Upload completed' }),
    failures: [
      ...failures,
      uploadNotFound,
      uploadMissing,
      uploadMismatch,
      uploadReplaced,
      storageNotConfigured,
    ],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, body, caller, facts }) => videos.completeUpload(loaded, body.fileKey, caller, facts),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/video-status',
    id: 'getLessonVideo',
    tag,
    summary: "Retrieve the processing status and links of a lesson's video",
    description:
      'The status is null before the first upload. Members who may not watch the lesson see what a lesson without a video shows.',
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
    summary: "Cancel the processing of a lesson's video",
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params,
    success: ok(LessonVideo, { message: 'Processing cancelled' }),
    failures: [...failures, videoNotProcessing],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller, facts }) => videos.cancel(loaded, caller, facts),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/lessons/:lessonId/video',
    id: 'deleteLessonVideo',
    tag,
    summary: 'Remove the video of a lesson',
    description: `Also one that is being processed or has failed. The lesson keeps its captions, and its \`duration\`, which you may set from then on. Links that were handed out play for some minutes more. An upload that was requested before can still be completed. ${BY_OWNER}`,
    access: educator,
    isAlsoForStaff: true,
    params,
    success: ok(LessonVideo, { message: 'Video removed' }),
    failures: [...failures, videoNotFound],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller, facts }) => videos.remove(loaded, caller, facts),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/lessons/videos',
    id: 'listTroubledVideos',
    tag,
    summary: 'List the videos that failed, or have been processed for more than an hour, newest first',
    description: 'Of each lesson the newest video: a later upload settles an earlier failure.',
    access: administrator,
    query: ListTroubledVideosQuery,
    success: pageOf(TroubledVideo),
    handle: ({ query: { status, ...request } }) => videos.troubled({ status }, request),
  }),
  operation({
    method: 'POST',
    path: '/v1/admin/lessons/:lessonId/video/retry',
    id: 'retryLessonVideo',
    tag,
    summary: 'Process the failed video of a lesson again',
    description:
      'Possible until `retryableUntil` of the list, if the machine failed and not the file. The educator need not upload it again.',
    access: administrator,
    params,
    success: ok(LessonVideo, { message: 'Processing again' }),
    failures: [lessonNotFound, videoNotFailed, videoNotRetryable, storageNotConfigured],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller, facts }) => videos.retry(loaded, caller, facts),
  }),
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/captions/:language',
    id: 'putLessonCaptions',
    tag,
    summary: 'Set the captions of a lesson in one language',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params: captionParams,
    body: PutLessonCaptionsBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(Caption, { message: 'Captions saved' }),
    failures: [...failures, tooManyCaptions, captionsTooLarge],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, params: { language }, body: { text }, caller, facts }) =>
      videos.setCaption(loaded, { language, text }, actorOf(caller, facts)),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/captions/:language',
    id: 'getLessonCaptions',
    tag,
    summary: 'Retrieve the captions of a lesson in one language, to edit them',
    description: 'Requires the owner of the course or an administrator.',
    access: educator,
    params: captionParams,
    success: ok(LessonCaptions),
    failures: [...failures, captionNotFound],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, params }) => videos.captions(loaded, params.language),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/lessons/:lessonId/captions/:language',
    id: 'deleteLessonCaptions',
    tag,
    summary: 'Remove the captions of a lesson in a language',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params: captionParams,
    success: ok(Caption, { message: 'Captions removed' }),
    failures: [...failures, captionNotFound],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, params, caller, facts }) =>
      videos.removeCaption(loaded, params.language, actorOf(caller, facts)),
  }),
];
