// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import { renaming } from '../../renaming.ts';
import type * as types from '../types.ts';
import type * as wire from '../wire.ts';

/** List or search educators. `GET /v1/educators` For member. */
export const listEducators: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 50 are lowered to 50 */
    limit?: number;
    search?: string;
    featured?: boolean;
  };
  data: wire.Educator[];
  renamedData: types.Educator[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listEducators',
  method: 'GET',
  path: '/v1/educators',
  pages: pagesOf,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image']),
};

/** List featured educators, most recently featured first. `GET /v1/educators/featured` For member. */
export const listFeaturedEducators: Operation<{
  query: {
    /** Items per page; values above 24 are lowered to 24 */
    limit?: number;
  };
  data: wire.Educator[];
  renamedData: types.Educator[];
  code: AnyCode | TokenCode;
}> = {
  id: 'listFeaturedEducators',
  method: 'GET',
  path: '/v1/educators/featured',
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image']),
};

/** Retrieve an educator. `GET /v1/educators/{educatorId}` For member. */
export const getEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.Educator;
  renamedData: types.Educator;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getEducator',
  method: 'GET',
  path: '/v1/educators/{educatorId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image']),
};

/** Update an educator profile. `PATCH /v1/educators/{educatorId}/profile` For educator, administrator. */
export const updateEducatorProfile: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.UpdateEducatorProfileBody;
  data: wire.Educator;
  renamedBody: types.UpdateEducatorProfileBody;
  renamedData: types.Educator;
  code: AnyCode | TokenCode | WriteCode | 'BIO_TOO_LONG' | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'NOT_FOUND' | 'NO_PROFILE_FIELDS' | 'PROFILE_CHANGE_LIMIT_EXCEEDED';
}> = {
  id: 'updateEducatorProfile',
  method: 'PATCH',
  path: '/v1/educators/{educatorId}/profile',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image'], ['educator_title', 'educator_bio', 'banner_image']),
};

/** Verify, feature or rename an educator, or set their rank badge. `PUT /v1/admin/educators/{educatorId}` For administrator. */
export const markEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.MarkEducatorBody;
  data: wire.Educator;
  renamedData: types.Educator;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'PROFILE_CHANGE_LIMIT_EXCEEDED' | 'USERNAME_TAKEN';
}> = {
  id: 'markEducator',
  method: 'PUT',
  path: '/v1/admin/educators/{educatorId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image']),
};

/** Create an upload for a picture or for story media. `POST /v1/educators/{educatorId}/uploads/presign` For educator. */
export const presignEducatorUpload: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.PresignEducatorUploadBody;
  data: wire.PublicUploadTicket;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STORAGE_NOT_CONFIGURED' | 'UPLOAD_QUOTA_EXCEEDED';
}> = {
  id: 'presignEducatorUpload',
  method: 'POST',
  path: '/v1/educators/{educatorId}/uploads/presign',
  fill: filled,
};

/** List the educators you follow, newest follow first. `GET /v1/educators/following` For member. */
export const listFollowedEducators: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 50 are lowered to 50 */
    limit?: number;
    /** The `followedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.FollowedEducator[];
  renamedData: types.FollowedEducator[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listFollowedEducators',
  method: 'GET',
  path: '/v1/educators/following',
  pages: pagesOf,
  cursor: ['before', 'followedAt', 'id'],
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image', 'pictureSizes.banner_image']),
};

/** List the followers of an educator, newest follow first. `GET /v1/educators/{educatorId}/followers` For educator, administrator. */
export const listEducatorFollowers: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `followedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.Follow[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listEducatorFollowers',
  method: 'GET',
  path: '/v1/educators/{educatorId}/followers',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'followedAt', 'userId'],
};

/** Follow an educator. `POST /v1/educators/{educatorId}/follow` For member. */
export const followEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.Follow;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BLOCKED' | 'FOLLOW_ONESELF' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'YOU_BLOCKED';
}> = {
  id: 'followEducator',
  method: 'POST',
  path: '/v1/educators/{educatorId}/follow',
  fill: filled,
  isIdempotent: true,
};

/** Unfollow an educator. `DELETE /v1/educators/{educatorId}/follow` For member. */
export const unfollowEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.Unfollowed;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'unfollowEducator',
  method: 'DELETE',
  path: '/v1/educators/{educatorId}/follow',
  fill: filled,
};

/** Check whether you follow an educator. `GET /v1/educators/{educatorId}/following` For member. */
export const getFollowStatus: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.FollowStatus;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getFollowStatus',
  method: 'GET',
  path: '/v1/educators/{educatorId}/following',
  fill: filled,
};

/** Subscribe to notifications of an educator's announcements and stories. `POST /v1/educators/{educatorId}/notifications/subscribe` For member. */
export const subscribeToEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.SubscribeToEducatorResult;
  code: AnyCode | TokenCode | WriteCode | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'YOU_BLOCKED';
}> = {
  id: 'subscribeToEducator',
  method: 'POST',
  path: '/v1/educators/{educatorId}/notifications/subscribe',
  fill: filled,
  isRepeatable: true,
};

/** Unsubscribe from notifications of an educator. `POST /v1/educators/{educatorId}/notifications/unsubscribe` For member. */
export const unsubscribeFromEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.UnsubscribeFromEducatorResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'unsubscribeFromEducator',
  method: 'POST',
  path: '/v1/educators/{educatorId}/notifications/unsubscribe',
  fill: filled,
  isRepeatable: true,
};

/** Subscribe to notifications of all current educators. `POST /v1/educators/notifications/subscribe-all` For member. */
export const subscribeToAllEducators: Operation<{
  data: wire.SubscribeToAllEducatorsResult;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'subscribeToAllEducators',
  method: 'POST',
  path: '/v1/educators/notifications/subscribe-all',
  isRepeatable: true,
};

/** Retrieve the chatroom of an educator. `GET /v1/educators/{educatorId}/chatroom` For member. */
export const getEducatorChatroom: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.EducatorChatroom;
  code: AnyCode | TokenCode | 'BANNED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'getEducatorChatroom',
  method: 'GET',
  path: '/v1/educators/{educatorId}/chatroom',
  fill: filled,
};

/** Join the chatroom of an educator. `POST /v1/educators/{educatorId}/chatroom/join` For member. */
export const joinEducatorChatroom: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.EducatorChatroom;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'joinEducatorChatroom',
  method: 'POST',
  path: '/v1/educators/{educatorId}/chatroom/join',
  fill: filled,
  isRepeatable: true,
};

/** Leave the chatroom of an educator. `POST /v1/educators/{educatorId}/chatroom/leave` For member. */
export const leaveEducatorChatroom: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.EducatorChatroom;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'leaveEducatorChatroom',
  method: 'POST',
  path: '/v1/educators/{educatorId}/chatroom/leave',
  fill: filled,
  isRepeatable: true,
};
