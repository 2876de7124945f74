// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List announcements of the educators you follow, newest first. `GET /v1/educators/announcements/feed` For member. */
export const getAnnouncementFeed: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.Announcement[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'getAnnouncementFeed',
  method: 'GET',
  path: '/v1/educators/announcements/feed',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** List announcements of an educator: pinned first, then newest first. `GET /v1/educators/{educatorId}/announcements` For member. */
export const listAnnouncements: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `pinned` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
  };
  data: wire.Announcement[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listAnnouncements',
  method: 'GET',
  path: '/v1/educators/{educatorId}/announcements',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'pinned', 'id'],
};

/** Create an announcement. `POST /v1/educators/{educatorId}/announcements` For educator. */
export const createAnnouncement: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.CreateAnnouncementBody;
  data: wire.Announcement;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'MUTED' | 'NOT_FOUND' | 'TOO_MANY_PINNED';
}> = {
  id: 'createAnnouncement',
  method: 'POST',
  path: '/v1/educators/{educatorId}/announcements',
  fill: filled,
  isIdempotent: true,
};

/** Retrieve an announcement. `GET /v1/educators/announcements/{announcementId}` For member. */
export const getAnnouncement: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  data: wire.Announcement;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getAnnouncement',
  method: 'GET',
  path: '/v1/educators/announcements/{announcementId}',
  fill: filled,
};

/** Update an announcement. `PUT /v1/educators/announcements/{announcementId}` For educator, administrator. */
export const updateAnnouncement: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  body: wire.UpdateAnnouncementBody;
  data: wire.Announcement;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'MUTED' | 'NOT_FOUND' | 'TOO_MANY_PINNED';
}> = {
  id: 'updateAnnouncement',
  method: 'PUT',
  path: '/v1/educators/announcements/{announcementId}',
  fill: filled,
};

/** Delete an announcement. `DELETE /v1/educators/announcements/{announcementId}` For educator, administrator. */
export const deleteAnnouncement: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteAnnouncement',
  method: 'DELETE',
  path: '/v1/educators/announcements/{announcementId}',
  fill: filled,
};

/** Like an announcement. `POST /v1/educators/announcements/{announcementId}/like` For member. */
export const likeAnnouncement: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  data: wire.AnnouncementLike;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'likeAnnouncement',
  method: 'POST',
  path: '/v1/educators/announcements/{announcementId}/like',
  fill: filled,
  isIdempotent: true,
};

/** Remove your like from an announcement. `DELETE /v1/educators/announcements/{announcementId}/like` For member. */
export const unlikeAnnouncement: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  data: wire.AnnouncementLike;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'unlikeAnnouncement',
  method: 'DELETE',
  path: '/v1/educators/announcements/{announcementId}/like',
  fill: filled,
};

/** List the comments on an announcement, newest first. `GET /v1/educators/announcements/{announcementId}/comments` For member. */
export const listAnnouncementComments: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.AnnouncementComment[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listAnnouncementComments',
  method: 'GET',
  path: '/v1/educators/announcements/{announcementId}/comments',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Comment on an announcement. `POST /v1/educators/announcements/{announcementId}/comments` For member. */
export const createAnnouncementComment: Operation<{
  params: {
    announcementId: wire.ObjectId;
  };
  body: wire.CreateAnnouncementCommentBody;
  data: wire.AnnouncementComment;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BLOCKED' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'createAnnouncementComment',
  method: 'POST',
  path: '/v1/educators/announcements/{announcementId}/comments',
  fill: filled,
  isIdempotent: true,
};

/** Change the text of a comment. `PUT /v1/educators/announcements/comments/{commentId}` For member. */
export const updateAnnouncementComment: Operation<{
  params: {
    commentId: wire.ObjectId;
  };
  body: wire.UpdateAnnouncementCommentBody;
  data: wire.AnnouncementComment;
  code: AnyCode | TokenCode | WriteCode | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'updateAnnouncementComment',
  method: 'PUT',
  path: '/v1/educators/announcements/comments/{commentId}',
  fill: filled,
};

/** Delete a comment. `DELETE /v1/educators/announcements/comments/{commentId}` For member. */
export const deleteAnnouncementComment: Operation<{
  params: {
    commentId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteAnnouncementComment',
  method: 'DELETE',
  path: '/v1/educators/announcements/comments/{commentId}',
  fill: filled,
};
