import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { answer, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import {
  Count,
  DeleteNotificationResult,
  type NotificationShapes,
  ReadNotificationResult,
} from './notifications.schemas.ts';
import { type NotificationRules, notificationNotFound } from './notifications.ts';

const tag = 'Notifications';
const oneParams = Type.Object({ notificationId: pathId('notification') });

export const notificationOperations = (
  notifications: NotificationRules,
  { NotificationShape, ListNotificationsQuery }: NotificationShapes,
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/notifications',
    id: 'listNotifications',
    tag,
    summary: 'List your notifications, newest first',
    access: member,
    query: ListNotificationsQuery,
    success: pageOf(NotificationShape),
    handle: ({ query: { page, limit, before, ...filter }, caller }) =>
      notifications.pageOf(caller.userId, filter, { page, limit, before }),
  }),
  operation({
    method: 'GET',
    path: '/v1/notifications/unread-count',
    id: 'countUnreadNotifications',
    tag,
    summary: 'Count your unread notifications',
    access: member,
    success: ok(Count),
    handle: async ({ caller }) => ({ count: await notifications.unreadCount(caller.userId) }),
  }),
  operation({
    method: 'GET',
    path: '/v1/notifications/:notificationId',
    id: 'getNotification',
    tag,
    summary: 'Retrieve one of yours',
    access: member,
    params: oneParams,
    success: ok(NotificationShape),
    failures: [notificationNotFound],
    handle: ({ params, caller }) => notifications.get(caller.userId, params.notificationId),
  }),
  operation({
    method: 'PUT',
    path: '/v1/notifications/:notificationId/read',
    id: 'readNotification',
    tag,
    summary: 'Mark a notification as read',
    description: 'Your other devices get `notification:read`.',
    access: member,
    params: oneParams,
    load: ({ params, caller }) => notifications.mustBeOf(caller.userId, params.notificationId),
    success: ok(ReadNotificationResult, {
      message: 'Notification marked as read',
    }),
    failures: [notificationNotFound],
    handle: async ({ params, caller }) => {
      await notifications.markRead(caller.userId, params.notificationId);
      return { id: params.notificationId, read: true };
    },
  }),
  operation({
    method: 'PUT',
    path: '/v1/notifications/read-all',
    id: 'readAllNotifications',
    tag,
    summary: 'Mark all your notifications as read',
    description: 'Your other devices get `notification:read`.',
    access: member,
    success: ok(Count, { message: '3 notifications marked as read' }),
    handle: async ({ caller }) => {
      const count = await notifications.markRead(caller.userId);
      return answer({ count }, { message: `${count} notifications marked as read` });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/notifications/:notificationId',
    id: 'deleteNotification',
    tag,
    summary: 'Delete one of yours',
    access: member,
    params: oneParams,
    success: ok(DeleteNotificationResult, { message: 'Notification deleted' }),
    failures: [notificationNotFound],
    handle: async ({ params, caller }) => {
      await notifications.delete(caller.userId, params.notificationId);
      return { id: params.notificationId };
    },
  }),
];
