import type { Core } from '../../kernel/core.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import { job } from '../../kernel/messaging/jobs.ts';
import { type Contact, type Identity, userDeleted } from '../identity/contract.ts';
import type { Mails } from '../mail/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { administrationOperations } from './administration.operations.ts';
import { bulkStore } from './bulk.store.ts';
import { bulkRules } from './bulk.ts';
import type { Notifications } from './contract.ts';
import { deliveryStore } from './deliveries.store.ts';
import { delivering } from './delivering.ts';
import { type BrowserPush, deviceOperations } from './devices.operations.ts';
import { deviceStore } from './devices.store.ts';
import { deviceRules } from './devices.ts';
import { eraseMember } from './erasure.store.ts';
import { fanOutLimit } from './fan-out-limit.ts';
import { emailCarrier } from './mailing.ts';
import { noticeSubscriptions } from './notices.ts';
import { announce } from './notifications.jobs.ts';
import { newNotification } from './notifications.live.ts';
import { notificationOperations } from './notifications.operations.ts';
import { notificationStore } from './notifications.store.ts';
import { notificationRules } from './notifications.ts';
import { preferenceOperations } from './preferences.operations.ts';
import { preferenceStore } from './preferences.store.ts';
import { preferenceRules } from './preferences.ts';
import { type PushServices, pushCarrier, pusher } from './pushing.ts';
import { sending } from './sending.ts';
import { topicStore } from './topics.store.ts';
import { topicRules } from './topics.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

interface NotificationDeps extends Pick<Core, 'database' | 'jobs' | 'live' | 'cache' | 'clock' | 'newId'> {
  contactsOf: (userIds: ObjectId[], queries?: Queries) => Promise<Contact[]>;
  livingSessionsOf: Identity['livingSessionsOf'];
  mails: Mails;
  moderation: Pick<Moderation, 'blocksAmong'>;
  pushServices: PushServices;
  browserPush: BrowserPush;
  secretKey: string;
  /** Public URL of the API; known once the server listens. */
  publicUrl: () => string;
}

/** Notifications to members. Owns the database schema `notifications`. */
export function notificationModule(deps: NotificationDeps): Module<Notifications> {
  const { database, live, contactsOf, mails, secretKey, publicUrl } = deps;
  const store = notificationStore(database);
  const deliveries = deliveryStore(database);
  const preferences = preferenceRules({ ...deps, store: preferenceStore(database) });
  const devices = deviceRules({ ...deps, store: deviceStore(database) });
  const push = pusher({ services: deps.pushServices, devices });
  const notify = sending({ ...deps, store, deliveries, preferences, reachable: devices.reachable });
  const bulk = bulkRules({ ...deps, store: bulkStore(database), notify });
  const topics = topicRules({ ...deps, store: topicStore(database), notify });
  const links = unsubscribeLinks(secretKey, publicUrl);
  const email = emailCarrier({
    mails,
    contactOf: async (userId) => (await contactsOf([userId]))[0],
    unsubscribeUrlOf: links.of,
  });
  const carriers = { email, push: pushCarrier(push) };
  const carrying = delivering({ ...deps, store: deliveries, preferences, carriers });

  /** Notifies the currently connected members; others find the notification in their list. */
  const announcing = job(announce, {
    retries: 2,
    run: async ({ news }) => {
      for (const { userId, ...data } of news) {
        await live.send(liveChannel.user(userId), [newNotification(data)]);
      }
    },
  });

  return {
    name: 'notifications',
    sections: {
      Notifications: 'The inbox of a member, and what administrators send to members.',
      'Push and preferences': 'Devices that receive pushes, and who is notified of what by which channel.',
    },
    service: {
      notify,
      notifyTopic: topics.notify,
      subscribe: topics.subscribe,
      unsubscribe: topics.unsubscribe,
      subscribeIn: topics.subscribeIn,
      unsubscribeIn: topics.unsubscribeIn,
      optOutIn: topics.optOutIn,
      subscribeToKind: topics.subscribeToKind,
      fanOut: fanOutLimit(deps),
    },
    operations: [
      ...notificationOperations(notificationRules({ ...deps, store })),
      ...administrationOperations({ ...deps, notify, bulk, deliveries }),
      ...preferenceOperations(preferences, links),
    ],
    live: { messages: [newNotification] },
    jobs: [announcing, ...carrying.jobs, ...bulk.jobs, ...topics.jobs],
    subscriptions: [
      onExternal(userDeleted, 'notifications', ({ data }) => eraseMember(database, data.userId)),
    ],
    collect: (modules) => ({
      operations: deviceOperations(
        { ...deps, devices, topics, push },
        ['GENERAL', ...modules.flatMap((module) => module.topics ?? [])].sort(),
      ),
      subscriptions: noticeSubscriptions(
        modules.flatMap(({ notices = [] }) => notices),
        { notify, notifyTopic: topics.notify },
      ),
    }),
  };
}
