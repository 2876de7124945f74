// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Create an upload for the video of a lesson. `POST /v1/lessons/{lessonId}/request-upload-url` For educator, administrator. */
export const requestLessonUpload: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.RequestLessonUploadBody;
  data: wire.UploadTicket;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STORAGE_NOT_CONFIGURED' | 'UPLOAD_QUOTA_EXCEEDED';
}> = {
  id: 'requestLessonUpload',
  method: 'POST',
  path: '/v1/lessons/{lessonId}/request-upload-url',
  fill: filled,
};

/** Complete the upload of a video. `POST /v1/lessons/{lessonId}/complete-upload` For educator, administrator. */
export const completeLessonUpload: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.CompleteLessonUploadBody;
  data: wire.CompleteLessonUploadResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STORAGE_NOT_CONFIGURED' | 'UPLOAD_MISMATCH' | 'UPLOAD_NOT_FOUND' | 'UPLOAD_REPLACED';
}> = {
  id: 'completeLessonUpload',
  method: 'POST',
  path: '/v1/lessons/{lessonId}/complete-upload',
  fill: filled,
  isRepeatable: true,
};

/** Retrieve the processing status and links of a lesson's video. `GET /v1/lessons/{lessonId}/video-status` For member. */
export const getLessonVideo: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  data: wire.LessonVideo;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getLessonVideo',
  method: 'GET',
  path: '/v1/lessons/{lessonId}/video-status',
  fill: filled,
};

/** Cancel the processing of a lesson's video. `POST /v1/lessons/{lessonId}/video/cancel` For educator, administrator. */
export const cancelLessonVideo: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.LessonVideo;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'VIDEO_NOT_PROCESSING';
}> = {
  id: 'cancelLessonVideo',
  method: 'POST',
  path: '/v1/lessons/{lessonId}/video/cancel',
  fill: filled,
};

/** Remove the video of a lesson. `DELETE /v1/lessons/{lessonId}/video` For educator, administrator. */
export const deleteLessonVideo: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.LessonVideo;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteLessonVideo',
  method: 'DELETE',
  path: '/v1/lessons/{lessonId}/video',
  fill: filled,
};

/** List the videos that failed, or have been processed for more than an hour, newest first. `GET /v1/admin/lessons/videos` For administrator. */
export const listTroubledVideos: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 200 are lowered to 200 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: 'failed' | 'processing';
  };
  data: wire.TroubledVideo[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listTroubledVideos',
  method: 'GET',
  path: '/v1/admin/lessons/videos',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Process the failed video of a lesson again. `POST /v1/admin/lessons/{lessonId}/video/retry` For administrator. */
export const retryLessonVideo: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.LessonVideo;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STORAGE_NOT_CONFIGURED' | 'VIDEO_NOT_FAILED' | 'VIDEO_NOT_RETRYABLE';
}> = {
  id: 'retryLessonVideo',
  method: 'POST',
  path: '/v1/admin/lessons/{lessonId}/video/retry',
  fill: filled,
};

/** Set the captions of a lesson in one language. `PUT /v1/lessons/{lessonId}/captions/{language}` For educator, administrator. */
export const putLessonCaptions: Operation<{
  params: {
    lessonId: wire.ObjectId;
    /** A BCP 47 language tag, in any case; answers have its canonical form */
    language: string;
  };
  body: wire.PutLessonCaptionsBody;
  data: wire.PutLessonCaptionsResult;
  code: AnyCode | TokenCode | WriteCode | 'CAPTIONS_TOO_LARGE' | 'FORBIDDEN' | 'INVALID_ID' | 'INVALID_LANGUAGE' | 'JSON_TOO_DENSE' | 'NOT_FOUND' | 'TOO_MANY_CAPTIONS';
}> = {
  id: 'putLessonCaptions',
  method: 'PUT',
  path: '/v1/lessons/{lessonId}/captions/{language}',
  fill: filled,
};

/** Retrieve the captions of a lesson in one language, to edit them. `GET /v1/lessons/{lessonId}/captions/{language}` For educator, administrator. */
export const getLessonCaptions: Operation<{
  params: {
    lessonId: wire.ObjectId;
    /** A BCP 47 language tag, in any case; answers have its canonical form */
    language: string;
  };
  data: wire.LessonCaptions;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'INVALID_LANGUAGE' | 'NOT_FOUND';
}> = {
  id: 'getLessonCaptions',
  method: 'GET',
  path: '/v1/lessons/{lessonId}/captions/{language}',
  fill: filled,
};

/** Remove the captions of a lesson in a language. `DELETE /v1/lessons/{lessonId}/captions/{language}` For educator, administrator. */
export const deleteLessonCaptions: Operation<{
  params: {
    lessonId: wire.ObjectId;
    /** A BCP 47 language tag, in any case; answers have its canonical form */
    language: string;
  };
  body: wire.ReasonBody;
  data: wire.DeleteLessonCaptionsResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'INVALID_LANGUAGE' | 'NOT_FOUND';
}> = {
  id: 'deleteLessonCaptions',
  method: 'DELETE',
  path: '/v1/lessons/{lessonId}/captions/{language}',
  fill: filled,
};
