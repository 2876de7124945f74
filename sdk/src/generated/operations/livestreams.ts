// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List livestreams that are live. `GET /v1/livestreams/public/live` For client. */
export const listLivestreamsOnAir: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.Livestream[];
  paged: true;
  code: AnyCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_ID';
}> = {
  id: 'listLivestreamsOnAir',
  method: 'GET',
  path: '/v1/livestreams/public/live',
  isOpen: true,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** List livestreams within their scheduled time. `GET /v1/livestreams/public/live/scheduled` For client. */
export const listScheduledLiveStreams: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** An IANA time zone */
    timezone?: string;
  };
  data: wire.LocalLivestream[];
  paged: true;
  code: AnyCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY';
}> = {
  id: 'listScheduledLiveStreams',
  method: 'GET',
  path: '/v1/livestreams/public/live/scheduled',
  isOpen: true,
  pages: pagesOf,
};

/** List all livestreams. `GET /v1/livestreams` For member. */
export const listLivestreams: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `scheduledStart` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.MomentOrId;
    status?: 'scheduled' | 'live' | 'ended' | 'cancelled';
    host?: wire.ObjectId;
    hostId?: wire.ObjectId;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
    /** By creation, newest first (the default), or by `scheduledStart`, earliest first */
    sort?: 'newest' | 'soonest';
  };
  data: wire.Livestream[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listLivestreams',
  method: 'GET',
  path: '/v1/livestreams',
  pages: pagesOf,
  cursor: ['before', 'scheduledStart', 'id'],
};

/** Schedule a livestream. `POST /v1/livestreams` For educator, administrator. */
export const createLivestream: Operation<{
  body: wire.CreateLivestreamBody;
  data: wire.Livestream;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND' | 'TOO_MANY_LIVESTREAMS';
}> = {
  id: 'createLivestream',
  method: 'POST',
  path: '/v1/livestreams',
  isIdempotent: true,
};

/** Retrieve a livestream. `GET /v1/livestreams/{livestreamId}` For member. */
export const getLivestream: Operation<{
  params: {
    livestreamId: wire.ObjectId;
  };
  data: wire.Livestream;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getLivestream',
  method: 'GET',
  path: '/v1/livestreams/{livestreamId}',
  fill: filled,
};

/** Update a livestream. `PUT /v1/livestreams/{livestreamId}` For educator, moderator, administrator. */
export const updateLivestream: Operation<{
  params: {
    livestreamId: wire.ObjectId;
  };
  body: wire.UpdateLivestreamBody;
  data: wire.Livestream;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'LIVESTREAM_NOT_SCHEDULED' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'updateLivestream',
  method: 'PUT',
  path: '/v1/livestreams/{livestreamId}',
  fill: filled,
};

/** Start a livestream. `POST /v1/livestreams/{livestreamId}/start` For educator, administrator. */
export const startLivestream: Operation<{
  params: {
    livestreamId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Livestream;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LIVESTREAM_NOT_SCHEDULED' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'startLivestream',
  method: 'POST',
  path: '/v1/livestreams/{livestreamId}/start',
  fill: filled,
};

/** End a livestream. `POST /v1/livestreams/{livestreamId}/end` For educator, administrator. */
export const endLivestream: Operation<{
  params: {
    livestreamId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Livestream;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LIVESTREAM_NOT_LIVE' | 'NOT_FOUND';
}> = {
  id: 'endLivestream',
  method: 'POST',
  path: '/v1/livestreams/{livestreamId}/end',
  fill: filled,
};

/** Cancel a livestream. `POST /v1/livestreams/{livestreamId}/cancel` For educator, administrator. */
export const cancelLivestream: Operation<{
  params: {
    livestreamId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Livestream;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LIVESTREAM_NOT_SCHEDULED' | 'NOT_FOUND';
}> = {
  id: 'cancelLivestream',
  method: 'POST',
  path: '/v1/livestreams/{livestreamId}/cancel',
  fill: filled,
};
