import { type Static, Type } from 'typebox';
import { jobKind } from '../../kernel/messaging/jobs.ts';
import { Metadata, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { CHANNELS, type Channel, PRIORITIES } from './contract.ts';

const DeliveryData = Type.Object({ notificationId: ObjectIdShape });
const DigestData = Type.Object({ userId: ObjectIdShape, upTo: ObjectIdShape });

/**
 * A delivery on one channel; each channel has its own queue, so that an unresponsive server delays no other channel.
 */
export const deliverOn = (channel: Channel) =>
  jobKind(`notifications.deliver-${channel}`, { version: 1, data: DeliveryData });

/** A member's digest on one channel; notifications after `upTo` belong to the next digest. */
export const digestOn = (channel: Channel) =>
  jobKind(`notifications.digest-${channel}`, { version: 1, data: DigestData });

/** Queue for deliveries enqueued by an older version of this program during a rolling update. */
export const deliverOnAnyChannel = jobKind('notifications.deliver', {
  version: 1,
  data: Type.Object({ notificationId: ObjectIdShape, channel: oneOf(CHANNELS) }),
});

/** Notifies connected members of new notifications. */
export const announce = jobKind('notifications.announce', {
  version: 2,
  data: Type.Object({ notificationIds: Type.Array(ObjectIdShape) }),
  upgrades: {
    1: ({ news }: { news: { id: string }[] }) => ({ notificationIds: news.map(({ id }) => id) }),
  },
});

/** Tells connected members of notifications that were withdrawn. */
export const announceDeleted = jobKind('notifications.announce-deleted', {
  version: 1,
  data: Type.Object({ deleted: Type.Array(Type.Object({ id: ObjectIdShape, userId: ObjectIdShape })) }),
});

const message = {
  type: Type.String(),
  title: Type.String(),
  message: Type.String(),
  priority: Type.Optional(oneOf(PRIORITIES)),
  channels: Type.Optional(Type.Array(oneOf(CHANNELS))),
  metadata: Type.Optional(Metadata),
};

/** Notifies a chunk of the members of a bulk. */
export const notifyMembers = jobKind('notifications.fan-out', {
  version: 1,
  data: Type.Object({
    bulkId: ObjectIdShape,
    userIds: Type.Array(ObjectIdShape),
    message: Type.Object({ ...message, subject: Type.Optional(Type.String()) }),
  }),
});

const audience = {
  topic: Type.String(),
  kind: Type.Optional(Type.Object({ topic: Type.String(), since: Type.String() })),
  from: Type.Optional(ObjectIdShape),
  message: Type.Object({ ...message, subject: Type.String() }),
};

/** Notifies the subscribers of a topic by enqueueing a job per part of the audience. */
export const notifySubscribers = jobKind('notifications.fan-out-to-topic', {
  version: 1,
  data: Type.Object(audience),
});

const WithdrawData = Type.Object({
  event: Type.String(),
  idName: Type.String(),
  id: ObjectIdShape,
  userId: Type.Optional(ObjectIdShape),
  after: Type.String(),
  upTo: Type.String(),
});
export type WithdrawData = Static<typeof WithdrawData>;

/** Deletes the notifications of removed content among those with ids greater than `after`, up to and including `upTo`. */
export const withdraw = jobKind('notifications.withdraw', { version: 1, data: WithdrawData });

/** Notifies the subscribers of a topic with ids greater than `after`, up to and including `upTo`. */
export const notifyPart = jobKind('notifications.fan-out-to-part', {
  version: 1,
  data: Type.Object({ ...audience, after: Type.String(), upTo: Type.String() }),
});
