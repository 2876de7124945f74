// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List communities, newest first. `GET /v1/communities` For member. */
export const listCommunities: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    /** Only those that you have, or have not, joined */
    joined?: boolean;
    /** A part of their name */
    search?: string;
  };
  data: wire.Community[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listCommunities',
  method: 'GET',
  path: '/v1/communities',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Create a community. `POST /v1/communities` For educator, administrator. */
export const createCommunity: Operation<{
  body: wire.CreateCommunityBody;
  data: wire.Community;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'MUTED';
}> = {
  id: 'createCommunity',
  method: 'POST',
  path: '/v1/communities',
  isIdempotent: true,
};

/** Retrieve a community. `GET /v1/communities/{communityId}` For member. */
export const getCommunity: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  data: wire.Community;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getCommunity',
  method: 'GET',
  path: '/v1/communities/{communityId}',
  fill: filled,
};

/** Update a community. `PUT /v1/communities/{communityId}` For member. */
export const updateCommunity: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  body: wire.UpdateCommunityBody;
  data: wire.Community;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'updateCommunity',
  method: 'PUT',
  path: '/v1/communities/{communityId}',
  fill: filled,
};

/** Delete a community with its posts. `DELETE /v1/communities/{communityId}` For member. */
export const deleteCommunity: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteCommunity',
  method: 'DELETE',
  path: '/v1/communities/{communityId}',
  fill: filled,
};

/** List the members of a community. `GET /v1/communities/{communityId}/members` For member. */
export const listCommunityMembers: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.CommunityMember[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listCommunityMembers',
  method: 'GET',
  path: '/v1/communities/{communityId}/members',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'userId'],
};

/** Join a community. `POST /v1/communities/{communityId}/join` For member. */
export const joinCommunity: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  data: wire.Community;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'joinCommunity',
  method: 'POST',
  path: '/v1/communities/{communityId}/join',
  fill: filled,
  isRepeatable: true,
};

/** Leave a community. `POST /v1/communities/{communityId}/leave` For member. */
export const leaveCommunity: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  data: wire.Community;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'leaveCommunity',
  method: 'POST',
  path: '/v1/communities/{communityId}/leave',
  fill: filled,
  isRepeatable: true,
};

/** List who is banned from a community. `GET /v1/communities/{communityId}/bans` For member. */
export const listCommunityBans: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.CommunityBan[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listCommunityBans',
  method: 'GET',
  path: '/v1/communities/{communityId}/bans',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'userId'],
};

/** Ban a member from a community. `PUT /v1/communities/{communityId}/members/{userId}/ban` For member. */
export const banCommunityMember: Operation<{
  params: {
    communityId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.BanCommunityMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_NOT_BANNED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'banCommunityMember',
  method: 'PUT',
  path: '/v1/communities/{communityId}/members/{userId}/ban',
  fill: filled,
};

/** Lift the ban of a member from a community. `DELETE /v1/communities/{communityId}/members/{userId}/ban` For member. */
export const unbanCommunityMember: Operation<{
  params: {
    communityId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.UnbanCommunityMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'unbanCommunityMember',
  method: 'DELETE',
  path: '/v1/communities/{communityId}/members/{userId}/ban',
  fill: filled,
};

/** List the posts of a community, newest first. `GET /v1/communities/{communityId}/posts` For member. */
export const listPosts: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.Post[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listPosts',
  method: 'GET',
  path: '/v1/communities/{communityId}/posts',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Create a post. `POST /v1/communities/{communityId}/posts` For member. */
export const createPost: Operation<{
  params: {
    communityId: wire.ObjectId;
  };
  body: wire.CreatePostBody;
  data: wire.Post;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'createPost',
  method: 'POST',
  path: '/v1/communities/{communityId}/posts',
  fill: filled,
  isIdempotent: true,
};

/** List the posts of all communities, newest first. `GET /v1/posts` For moderator, administrator. */
export const listAllPosts: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    userId?: wire.ObjectId;
  };
  data: wire.PostAnywhere[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listAllPosts',
  method: 'GET',
  path: '/v1/posts',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Retrieve a post. `GET /v1/posts/{postId}` For member. */
export const getPost: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  data: wire.Post;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getPost',
  method: 'GET',
  path: '/v1/posts/{postId}',
  fill: filled,
};

/** Delete a post. `DELETE /v1/posts/{postId}` For member. */
export const deletePost: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deletePost',
  method: 'DELETE',
  path: '/v1/posts/{postId}',
  fill: filled,
};

/** Change the text of a post. `PUT /v1/posts/{postId}` For member. */
export const updatePost: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  body: wire.UpdatePostBody;
  data: wire.Post;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'updatePost',
  method: 'PUT',
  path: '/v1/posts/{postId}',
  fill: filled,
};

/** List the comments on a post, newest first. `GET /v1/posts/{postId}/comments` For member. */
export const listComments: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.Comment[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listComments',
  method: 'GET',
  path: '/v1/posts/{postId}/comments',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Comment on a post. `POST /v1/posts/{postId}/comments` For member. */
export const createComment: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  body: wire.CreateCommentBody;
  data: wire.Comment;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'createComment',
  method: 'POST',
  path: '/v1/posts/{postId}/comments',
  fill: filled,
  isIdempotent: true,
};

/** Delete a comment. `DELETE /v1/posts/comments/{commentId}` For member. */
export const deleteComment: Operation<{
  params: {
    commentId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteComment',
  method: 'DELETE',
  path: '/v1/posts/comments/{commentId}',
  fill: filled,
};

/** Change the text of a comment. `PUT /v1/posts/comments/{commentId}` For member. */
export const updateComment: Operation<{
  params: {
    commentId: wire.ObjectId;
  };
  body: wire.UpdateCommentBody;
  data: wire.Comment;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'updateComment',
  method: 'PUT',
  path: '/v1/posts/comments/{commentId}',
  fill: filled,
};

/** React to a post. `PUT /v1/posts/{postId}/reaction` For member. */
export const reactToPost: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  body: wire.ReactToPostBody;
  data: wire.Post;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'reactToPost',
  method: 'PUT',
  path: '/v1/posts/{postId}/reaction',
  fill: filled,
};

/** Remove your reaction to a post. `DELETE /v1/posts/{postId}/reaction` For member. */
export const takeBackReaction: Operation<{
  params: {
    postId: wire.ObjectId;
  };
  data: wire.Post;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'takeBackReaction',
  method: 'DELETE',
  path: '/v1/posts/{postId}/reaction',
  fill: filled,
};
