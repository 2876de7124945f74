import { Type } from 'typebox';
import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/messaging/jobs.ts';
import { administrator } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import { type Contact, userNotFound } from '../identity/contract.ts';
import { checkAction } from './actions.ts';
import {
  ListDeliveriesQuery,
  ReplayDeliveriesBody,
  ReplayDeliveriesResult,
  sendBulkNotificationBody,
  sendNotificationBody,
} from './administration.schemas.ts';
import { type BulkRules, bulkNotFound } from './bulk.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import { BulkShape, DeliveryShape, type NotificationShapes, SentShape } from './notifications.schemas.ts';
import { enqueueDeliveries, type Notify } from './sending.ts';
import type { Vocabulary } from './vocabulary.model.ts';

const tag = 'Notifications';
const MAX_REPLAYED = 1_000;

interface AdministrationDeps {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  notify: Notify;
  bulk: BulkRules;
  deliveries: DeliveryStore;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  words: Vocabulary;
  shapes: NotificationShapes;
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
    body: sendNotificationBody(deps.shapes),
    success: created(SentShape, { message: 'Notification sent' }),
    failures: [userNotFound],
    handle: async ({ body: { userId, ...message } }) => {
      checkAction(deps.words, message.metadata, 'metadata');
      const [known] = await deps.contactsOf([userId]);
      if (!known) throw userNotFound();
      const [sent] = await deps.database.transaction((tx) => deps.notify(tx, [{ ...message, userId }]));
      if (!sent) throw userNotFound();
      return { notification: { id: sent.id, userId }, deliveries: sent.deliveries };
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
    body: sendBulkNotificationBody(deps.shapes),
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(BulkShape, { message: 'Notifications are being sent' }),
    handle: ({ body: { userIds, notification }, caller }) => {
      checkAction(deps.words, notification.metadata, 'notification.metadata');
      return deps.bulk.start(userIds, notification, caller.userId);
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
    query: ListDeliveriesQuery,
    success: pageOf(DeliveryShape),
    handle: ({ query: { page, limit, ...filter } }) => deps.deliveries.pageOf(filter, { page, limit }),
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
    handle: async ({ body }) =>
      deps.database.transaction(async (tx) => {
        const revived = await deps.deliveries.revive(tx, body.delivery, MAX_REPLAYED);
        await enqueueDeliveries(deps.jobs, tx, revived);
        return { count: revived.length };
      }),
  }),
];
