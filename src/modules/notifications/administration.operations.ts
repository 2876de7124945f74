import { Type } from 'typebox';
import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/messaging/jobs.ts';
import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import type { Actor, Audit } from '../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../kernel/records/idempotency.ts';
import { endOf, instantOf } from '../../kernel/time/time.ts';
import { type Contact, userNotFound } from '../identity/contract.ts';
import { actionFaults, checkAction } from './actions.ts';
import {
  ListDeliveriesQuery,
  ListNotificationsOfUserQuery,
  ReplayDeliveriesBody,
  ReplayDeliveriesResult,
  sendBulkNotificationBody,
  sendNotificationBody,
  testNotificationBody,
} from './administration.schemas.ts';
import { type BulkRules, bulkNotFound } from './bulk.ts';
import type { MemberMessage } from './contract.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import type { DeliveryHistoryRules } from './delivery-history.ts';
import {
  BulkShape,
  DeliveryShape,
  type NotificationShapes,
  SentMessageShape,
  SentShape,
} from './notifications.schemas.ts';
import { enqueueDeliveries, type Notify } from './sending.ts';
import type { Vocabulary } from './vocabulary.model.ts';

const tag = 'Notifications';
const MAX_REPLAYED = 1_000;

interface AdministrationDeps {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  audit: Pick<Audit, 'record'>;
  notify: Notify;
  bulk: BulkRules;
  deliveries: DeliveryStore;
  history: DeliveryHistoryRules;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  words: Vocabulary;
  shapes: NotificationShapes;
}

/** Who sends a notification, and what the audit log calls it. */
interface Sending {
  action: 'notification.sent' | 'notification.tested';
  actor: Actor;
  idempotency: IdempotencyContext;
}

/** Notifies one member. @throws userNotFound */
async function sendTo(
  { contactsOf, database, notify, audit }: AdministrationDeps,
  message: MemberMessage,
  { action, actor, idempotency }: Sending,
) {
  const { userId, type } = message;
  const [known] = await contactsOf([userId]);
  if (!known) throw userNotFound();
  return database.transaction(async (tx) => {
    const [sent] = await notify(tx, [message]);
    if (!sent) throw userNotFound();
    const details = {
      notificationId: sent.id,
      type,
      channels: sent.deliveries.map(({ channel }) => channel),
    };
    await audit.record(tx, { ...actor, action, target: userId, details });
    const result = { notification: { id: sent.id, userId }, deliveries: sent.deliveries };
    return answered(tx, { idempotency }, result);
  });
}

export const administrationOperations = (deps: AdministrationDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/notifications/send',
    id: 'sendNotification',
    tag,
    summary: 'Notify a member',
    description:
      'The notification appears in the app immediately. Each other channel is delivered by a job of its own. `sms` is accepted, and reported as not available yet.',
    access: administrator,
    idempotent: true,
    body: sendNotificationBody(deps.shapes),
    success: created(SentShape, { message: 'Notification sent' }),
    failures: [userNotFound],
    faults: ({ body }) => actionFaults(deps.words, body.metadata, 'metadata'),
    handle: ({ body, caller, facts, idempotency }) => {
      checkAction(deps.words, body.metadata, 'metadata');
      return sendTo(deps, body, { action: 'notification.sent', actor: actorOf(caller, facts), idempotency });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/notifications/send-bulk',
    id: 'sendBulkNotification',
    tag,
    summary: 'Notify many members',
    description:
      'The response is returned immediately. `GET /v1/notifications/bulk/{jobId}` reports the progress.',
    access: administrator,
    idempotent: true,
    body: sendBulkNotificationBody(deps.shapes),
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(BulkShape, { message: 'Notifications are being sent' }),
    faults: ({ body }) => actionFaults(deps.words, body.notification?.metadata, 'notification.metadata'),
    handle: ({ body: { userIds, notification }, caller, facts, idempotency }) => {
      checkAction(deps.words, notification.metadata, 'notification.metadata');
      return deps.bulk.start(userIds, notification, actorOf(caller, facts), idempotency);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/notifications/bulk/:jobId',
    id: 'getBulkNotification',
    tag,
    summary: 'Retrieve the progress of a bulk notification',
    access: administrator,
    params: Type.Object({ jobId: pathId('job') }),
    success: ok(BulkShape),
    failures: [bulkNotFound],
    handle: ({ params }) => deps.bulk.find(params.jobId),
  }),
  operation({
    method: 'GET',
    path: '/v1/notifications/deliveries',
    id: 'listDeliveries',
    tag,
    summary: 'List deliveries by notification and channel, newest first',
    access: administrator,
    description:
      'Includes e-mails that are no notification, such as reset codes (`kind=transactional`). Addresses are masked.',
    query: ListDeliveriesQuery,
    success: pageOf(DeliveryShape),
    handle: ({ query: { page, limit, before, from, to, ...filter } }) =>
      deps.history.deliveries(
        {
          ...filter,
          from: from === undefined ? undefined : instantOf(from),
          to: to === undefined ? undefined : endOf(to),
        },
        { page, limit, before },
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/notifications',
    id: 'listNotificationsOfUser',
    tag,
    summary: 'List the notifications and e-mails of a member, newest first, with the outcome on each channel',
    access: administrator,
    params: Type.Object({ userId: pathId('user') }),
    query: ListNotificationsOfUserQuery,
    success: pageOf(SentMessageShape),
    failures: [userNotFound],
    handle: ({ params, query: { page, limit, before } }) =>
      deps.history.sentTo(params.userId, { page, limit, before }),
  }),
  operation({
    method: 'POST',
    path: '/v1/notifications/test',
    id: 'testNotification',
    tag,
    summary: 'Send a test notification on one channel',
    description:
      'Goes to yourself unless `userId` names somebody else, at once, and as far as that person wants notifications of the type on the channel. It appears in the app, too.',
    access: administrator,
    idempotent: true,
    body: testNotificationBody(deps.shapes),
    success: ok(SentShape, { message: 'Test sent' }),
    failures: [userNotFound],
    handle: ({ body: { channel, type, userId }, caller, facts, idempotency }) =>
      sendTo(
        deps,
        {
          userId: userId ?? caller.userId,
          type,
          title: `Test of ${type}`,
          message: 'This is a test by an operator. There is nothing to do.',
          priority: 'high',
          channels: [channel],
          metadata: { test: true },
        },
        { action: 'notification.tested', actor: actorOf(caller, facts), idempotency },
      ),
  }),
  operation({
    method: 'POST',
    path: '/v1/notifications/deliveries/replay',
    id: 'replayDeliveries',
    tag,
    summary: 'Retry failed deliveries',
    description: `Retries the given delivery, or the oldest ${MAX_REPLAYED}.`,
    access: administrator,
    body: ReplayDeliveriesBody,
    success: ok(ReplayDeliveriesResult, { message: 'Retrying' }),
    handle: async ({ body: { delivery }, caller, facts }) =>
      deps.database.transaction(async (tx) => {
        const revived = await deps.deliveries.revive(tx, delivery, MAX_REPLAYED);
        if (revived.length === 0) return { count: 0 };
        await enqueueDeliveries(deps.jobs, tx, revived);
        const details = { count: revived.length, channel: delivery?.channel };
        const target = delivery?.notificationId;
        const entry = { action: 'notification.deliveries-retried', target, details };
        await deps.audit.record(tx, { ...actorOf(caller, facts), ...entry });
        return { count: revived.length };
      }),
  }),
];
