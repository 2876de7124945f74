import type { Core } from '../../kernel/core.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import { job } from '../../kernel/messaging/jobs.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { type Contact, type Identity, userDeleted } from '../identity/contract.ts';
import type { Mails } from '../mail/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { administrationOperations } from './administration.operations.ts';
import { bulkStore } from './bulk.store.ts';
import { bulkRules } from './bulk.ts';
import type { Notice, Notifications } from './contract.ts';
import { deliveryStore } from './deliveries.store.ts';
import { delivering } from './delivering.ts';
import { deliveryHistoryStore } from './delivery-history.store.ts';
import { type DeliveryHistoryRules, deliveryHistoryRules } from './delivery-history.ts';
import { type BrowserPush, deviceOperations } from './devices.operations.ts';
import { OverviewDevices } from './devices.schemas.ts';
import { deviceStore } from './devices.store.ts';
import { deviceRules } from './devices.ts';
import { eraseMember } from './erasure.store.ts';
import { fanOutLimit } from './fan-out-limit.ts';
import { emailSender } from './mailing.ts';
import { notificationRecords } from './member-records.store.ts';
import { eraseNames } from './naming.store.ts';
import { noticeSubscriptions } from './notices.ts';
import { announce, announceDeleted } from './notifications.jobs.ts';
import { newNotificationOf, notificationsDeleted, notificationsRead } from './notifications.live.ts';
import { notificationOperations } from './notifications.operations.ts';
import { notificationShapes } from './notifications.schemas.ts';
import { notificationStore } from './notifications.store.ts';
import { notificationRules } from './notifications.ts';
import { preferenceOperations } from './preferences.operations.ts';
import { preferenceStore } from './preferences.store.ts';
import { preferenceRules } from './preferences.ts';
import { type PushServices, pusher, pushSender } from './pushing.ts';
import { sending } from './sending.ts';
import type { NotificationSettings } from './settings.ts';
import { topicFanOut } from './topic-fan-out.ts';
import { topicStore } from './topics.store.ts';
import { type TopicRules, topicRules } from './topics.ts';
import { turningMonths } from './turning-months.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.model.ts';
import { withdrawing } from './withdrawing.ts';

interface NotificationDeps
  extends Pick<Core, 'database' | 'jobs' | 'live' | 'cache' | 'audit' | 'clock' | 'newId'> {
  contactsOf: (userIds: ObjectId[], queries?: Queries) => Promise<Contact[]>;
  contactByEmail: Identity['contactByEmail'];
  activeSessionsOf: Identity['activeSessionsOf'];
  mails: Mails;
  moderation: Pick<Moderation, 'blocksAmong'>;
  pushServices: PushServices;
  browserPush: BrowserPush;
  secrets: Secrets;
  /** Public URL of the API; known once the server listens. */
  publicUrl: () => string;
  settings: NotificationSettings;
}

/** Notifications to members. Owns the database schema `notifications`. */
export function notificationModule(deps: NotificationDeps): Module<Notifications> {
  const { database } = deps;
  const topics = topicRules({ ...deps, store: topicStore(database) });
  const { withdrawIn, jobs: withdrawals } = withdrawing(deps);
  const history = deliveryHistoryRules({
    ...deps,
    store: deliveryHistoryStore(database),
    deliveries: deliveryStore(database),
  });
  return {
    name: 'notifications',
    memberRecords: notificationRecords,
    erasePerson: (person) => eraseNames(database, person),
    recordMail: history.recordMail,
    sections: {
      Notifications: 'The inbox of a member, and what administrators send to members.',
      'Push and preferences': 'Devices that receive pushes, and who is notified of what by which channel.',
    },
    service: { ...topics, withdrawIn, fanOut: fanOutLimit(deps) },
    worklists: [{ name: 'failedDeliveries', read: deliveryStore(database).backlog }],
    jobs: [turningMonths(deps), ...withdrawals],
    userOverview: [
      {
        name: 'devices',
        shape: OverviewDevices,
        read: async (userId) => (await deviceStore(database).ofAll([userId])).flat(),
      },
    ],
    subscriptions: [
      onExternal(userDeleted, 'notifications', ({ data }) => eraseMember(database, data.userId)),
    ],
    collect: (modules) => {
      const notices = modules.flatMap(({ notices = [] }) => notices);
      const listed = ['GENERAL', ...modules.flatMap((module) => module.topics ?? [])].sort();
      return hubOf({ ...deps, topics, history, notices, listed, words: vocabularyOf(notices) });
    },
  };
}

interface HubDeps extends NotificationDeps {
  topics: TopicRules;
  history: DeliveryHistoryRules;
  notices: Notice[];
  /** The topics to which members can subscribe. */
  listed: string[];
  words: Vocabulary;
}

/** Creates the parts that depend on the vocabulary of all modules: the notifications themselves, and their delivery. */
function hubOf(deps: HubDeps): ReturnType<NonNullable<Module['collect']>> {
  const { database, live, topics, notices, listed, words, contactsOf, mails, secrets, publicUrl } = deps;
  const { types } = words;
  const store = notificationStore(database);
  const deliveries = deliveryStore(database);
  const preferences = preferenceRules({ ...deps, types, store: preferenceStore(database) });
  const devices = deviceRules({ ...deps, store: deviceStore(database) });
  const push = pusher({ services: deps.pushServices, devices });
  const reachable = devices.reachable;
  const notify = sending({ ...deps, types, store, deliveries, preferences, reachable });
  const bulk = bulkRules({ ...deps, store: bulkStore(database), notify });
  const fanOut = topicFanOut({ ...deps, store: topicStore(database), notify });
  const links = unsubscribeLinks(secrets, publicUrl);
  const email = emailSender({
    mails,
    contactOf: async (userId) => (await contactsOf([userId]))[0],
    unsubscribeUrlOf: links.of,
  });
  const senders = { email, push: pushSender(push) };
  const carrying = delivering({ ...deps, store: deliveries, preferences, senders });
  const shapes = notificationShapes(words);
  const newNotification = newNotificationOf(shapes);

  /** Notifies the currently connected members; others find the notification in their list. */
  const announcing = job(announce, {
    retries: 2,
    run: async ({ notificationIds }) => {
      for (const one of await store.findAll(notificationIds))
        await live.send(liveChannel.user(one.userId), [newNotification(one)]);
    },
  });

  const announcingDeleted = job(announceDeleted, {
    retries: 2,
    run: async ({ deleted }) => {
      const ofMembers = Map.groupBy(deleted, ({ userId }) => userId);
      const unread = await store.unreadOf([...ofMembers.keys()]);
      for (const [userId, gone] of ofMembers) {
        const left = { ids: gone.map(({ id }) => id), unreadCount: unread.get(userId) ?? 0 };
        await live.send(liveChannel.user(userId), [notificationsDeleted(left)]);
      }
    },
  });

  return {
    operations: [
      ...notificationOperations(notificationRules({ ...deps, store }), shapes),
      ...administrationOperations({ ...deps, notify, bulk, deliveries, shapes }),
      ...preferenceOperations({ preferences, links, shapes }),
      ...deviceOperations({ ...deps, devices, topics, push }, listed),
    ],
    live: { messages: [newNotification, notificationsRead, notificationsDeleted] },
    metrics: carrying.metrics,
    jobs: [announcing, announcingDeleted, ...carrying.jobs, ...bulk.jobs, ...fanOut.jobs],
    subscriptions: noticeSubscriptions(notices, { notify, notifyTopics: fanOut.notify }),
  };
}
