// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List your notifications, newest first. `GET /v1/notifications` For member. */
export const listNotifications: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 50 are lowered to 50 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    type?: wire.NotificationType;
    read?: boolean;
  };
  data: wire.Notification[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listNotifications',
  method: 'GET',
  path: '/v1/notifications',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Count your unread notifications. `GET /v1/notifications/unread-count` For member. */
export const countUnreadNotifications: Operation<{
  data: wire.CountUnreadNotificationsResult;
  code: AnyCode | TokenCode;
}> = {
  id: 'countUnreadNotifications',
  method: 'GET',
  path: '/v1/notifications/unread-count',
};

/** Retrieve one of yours. `GET /v1/notifications/{notificationId}` For member. */
export const getNotification: Operation<{
  params: {
    notificationId: wire.ObjectId;
  };
  data: wire.Notification;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getNotification',
  method: 'GET',
  path: '/v1/notifications/{notificationId}',
  fill: filled,
};

/** Delete one of yours. `DELETE /v1/notifications/{notificationId}` For member. */
export const deleteNotification: Operation<{
  params: {
    notificationId: wire.ObjectId;
  };
  data: wire.DeleteNotificationResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteNotification',
  method: 'DELETE',
  path: '/v1/notifications/{notificationId}',
  fill: filled,
};

/** Mark a notification as read. `PUT /v1/notifications/{notificationId}/read` For member. */
export const readNotification: Operation<{
  params: {
    notificationId: wire.ObjectId;
  };
  data: wire.ReadNotificationResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'readNotification',
  method: 'PUT',
  path: '/v1/notifications/{notificationId}/read',
  fill: filled,
};

/** Mark all your notifications as read. `PUT /v1/notifications/read-all` For member. */
export const readAllNotifications: Operation<{
  data: wire.ReadAllNotificationsResult;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'readAllNotifications',
  method: 'PUT',
  path: '/v1/notifications/read-all',
};

/** Notify a member. `POST /v1/notifications/send` For administrator. */
export const sendNotification: Operation<{
  body: wire.SendNotificationBody;
  data: wire.SentNotification;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'sendNotification',
  method: 'POST',
  path: '/v1/notifications/send',
  isIdempotent: true,
};

/** Notify many members. `POST /v1/notifications/send-bulk` For administrator. */
export const sendBulkNotification: Operation<{
  body: wire.SendBulkNotificationBody;
  data: wire.BulkNotification;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE';
}> = {
  id: 'sendBulkNotification',
  method: 'POST',
  path: '/v1/notifications/send-bulk',
  isIdempotent: true,
};

/** Retrieve the progress of a bulk notification. `GET /v1/notifications/bulk/{jobId}` For administrator. */
export const getBulkNotification: Operation<{
  params: {
    jobId: wire.ObjectId;
  };
  data: wire.BulkNotification;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getBulkNotification',
  method: 'GET',
  path: '/v1/notifications/bulk/{jobId}',
  fill: filled,
};

/** List deliveries by notification and channel, newest first. `GET /v1/notifications/deliveries` For administrator. */
export const listDeliveries: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `notificationId` and `channel` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
    /** `batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before it could be sent. `suppressed`: the address refuses our mail */
    status?: 'pending' | 'batched' | 'sent' | 'failed' | 'muted' | 'unavailable' | 'read' | 'suppressed';
    userId?: wire.ObjectId;
    channel?: wire.NotificationChannel;
    kind?: 'notification' | 'transactional';
    notificationId?: wire.ObjectId;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
  };
  data: wire.Delivery[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/notifications/deliveries',
  pages: pagesOf,
  cursor: ['before', 'notificationId', 'channel'],
};

/** List the notifications and e-mails of a member, newest first, with the outcome on each channel. `GET /v1/admin/auth/users/{userId}/notifications` For administrator. */
export const listNotificationsOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.NotificationOfUser[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listNotificationsOfUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/notifications',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Send a test notification on one channel. `POST /v1/notifications/test` For administrator. */
export const testNotification: Operation<{
  body: wire.TestNotificationBody;
  data: wire.SentNotification;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'testNotification',
  method: 'POST',
  path: '/v1/notifications/test',
  isIdempotent: true,
};

/** Retry failed deliveries. `POST /v1/notifications/deliveries/replay` For administrator. */
export const replayDeliveries: Operation<{
  body: wire.ReplayDeliveriesBody;
  data: wire.ReplayDeliveriesResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'replayDeliveries',
  method: 'POST',
  path: '/v1/notifications/deliveries/replay',
};
