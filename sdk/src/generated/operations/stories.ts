// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List stories of the educators you follow. `GET /v1/educators/stories/feed` For member. */
export const getStoryFeed: Operation<{
  data: wire.StoryGroup[];
  code: AnyCode | TokenCode;
}> = {
  id: 'getStoryFeed',
  method: 'GET',
  path: '/v1/educators/stories/feed',
};

/** List the stories of an educator, oldest first. `GET /v1/educators/{educatorId}/stories` For member. */
export const listStories: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.Story[];
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listStories',
  method: 'GET',
  path: '/v1/educators/{educatorId}/stories',
  fill: filled,
};

/** Publish a story. `POST /v1/educators/{educatorId}/stories` For educator. */
export const createStory: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.CreateStoryBody;
  data: wire.Story;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND' | 'TOO_MANY_STORIES';
}> = {
  id: 'createStory',
  method: 'POST',
  path: '/v1/educators/{educatorId}/stories',
  fill: filled,
  isIdempotent: true,
};

/** Retrieve a story. `GET /v1/educators/stories/{storyId}` For member. */
export const getStory: Operation<{
  params: {
    storyId: wire.ObjectId;
  };
  data: wire.Story;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getStory',
  method: 'GET',
  path: '/v1/educators/stories/{storyId}',
  fill: filled,
};

/** Delete a story. `DELETE /v1/educators/stories/{storyId}` For educator, administrator. */
export const deleteStory: Operation<{
  params: {
    storyId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteStory',
  method: 'DELETE',
  path: '/v1/educators/stories/{storyId}',
  fill: filled,
};

/** Mark a story as viewed. `POST /v1/educators/stories/{storyId}/view` For member. */
export const viewStory: Operation<{
  params: {
    storyId: wire.ObjectId;
  };
  data: wire.ViewedStory;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'viewStory',
  method: 'POST',
  path: '/v1/educators/stories/{storyId}/view',
  fill: filled,
  isRepeatable: true,
};

/** List the viewers of your story, latest view first. `GET /v1/educators/stories/{storyId}/viewers` For educator. */
export const listStoryViewers: Operation<{
  params: {
    storyId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `viewedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.StoryViewer[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listStoryViewers',
  method: 'GET',
  path: '/v1/educators/stories/{storyId}/viewers',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'viewedAt', 'userId'],
};
