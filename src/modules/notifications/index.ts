import type { Mailer } from '../../external/mail/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import { type Live, liveChannel } from '../../kernel/live.ts';
import type { Module } from '../../kernel/module.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Contact, Identity } from '../identity/index.ts';
import { administrationOperations } from './administration.operations.ts';
import { bulkRules } from './bulk.ts';
import { deliveryStore } from './deliveries.store.ts';
import { delivering } from './delivering.ts';
import { type BrowserPush, deviceOperations } from './devices.operations.ts';
import { deviceStore } from './devices.store.ts';
import { deviceRules } from './devices.ts';
import { erasing } from './erasing.ts';
import { emailCarrier } from './mailing.ts';
import { notificationOperations } from './notifications.operations.ts';
import { notificationStore } from './notifications.store.ts';
import { notificationRules } from './notifications.ts';
import { preferenceOperations } from './preferences.operations.ts';
import { preferenceRules } from './preferences.ts';
import { type PushServices, pushCarrier, pusher } from './pushing.ts';
import { ANNOUNCE, sending, type Told } from './sending.ts';
import { type TopicMessage, topicRules } from './topics.ts';
import type { Priority } from './types.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';
import { wiring } from './wiring.ts';

export { topicOfEducator } from './topics.ts';

export interface Notifications {
  /**
   * Tells members, in the transaction of what is told: in the app, and on the channels they want. Who has been deleted,
   * or was told of the same `subject` before, is left out.
   */
  notify(tx: Transaction, told: Told[]): Promise<unknown>;
  /** The same for all who subscribed to a topic, however many, soon after the transaction commits. */
  tellTopic(tx: Transaction, topic: string, message: TopicMessage): Promise<void>;
  /** A member wants to hear of these topics from now on, or no more. */
  subscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  unsubscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
}

interface NotificationNeeds {
  database: Database;
  jobs: Jobs;
  live: Live;
  clock: Clock;
  newId: NewId;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  livingSessionsOf: Identity['livingSessionsOf'];
  mailer: Mailer | undefined;
  pushServices: PushServices;
  browserPush: BrowserPush;
  secretKey: string;
  /** Where clients reach the API; known once it listens. */
  publicUrl: () => string;
}

interface Announced {
  news: { id: ObjectId; userId: ObjectId; title: string; message: string; priority: Priority }[];
}

/** Notifications: what members are told. Owns the database schema `notifications`. */
export function notificationModule(needs: NotificationNeeds): Module<Notifications> {
  const { database, live, contactsOf, mailer, secretKey, publicUrl } = needs;
  const store = notificationStore(database);
  const deliveries = deliveryStore(database);
  const preferences = preferenceRules(needs);
  const devices = deviceRules({ ...needs, store: deviceStore(database) });
  const push = pusher({ services: needs.pushServices, devices });
  const notify = sending({ ...needs, store, deliveries, preferences, reachable: devices.reachable });
  const bulk = bulkRules({ ...needs, notify });
  const topics = topicRules({ ...needs, notify });
  const links = unsubscribeLinks(secretKey, publicUrl);
  const email = emailCarrier({
    mailer,
    contactOf: async (userId) => (await contactsOf([userId]))[0],
    unsubscribeUrlOf: links.of,
  });
  const carriers = { email, push: pushCarrier(push) };
  const carrying = delivering({ ...needs, store: deliveries, preferences, carriers });

  /** To whoever is connected at this moment; what is missed stands in the list. */
  const announce: Job = {
    name: ANNOUNCE,
    retries: 2,
    run: async ({ news }: Announced) => {
      for (const { userId, ...data } of news) {
        await live.tell(liveChannel.user(userId), [{ type: 'notification:new', data }]);
      }
    },
  };

  return {
    name: 'notifications',
    door: {
      notify,
      tellTopic: topics.tell,
      subscribe: topics.subscribe,
      unsubscribe: topics.unsubscribe,
    },
    operations: [
      ...notificationOperations(notificationRules({ ...needs, store })),
      ...administrationOperations({ ...needs, notify, bulk, deliveries }),
      ...preferenceOperations(preferences, links),
      ...deviceOperations({ ...needs, devices, topics, push }),
    ],
    jobs: [announce, ...carrying.jobs, ...bulk.jobs, ...topics.jobs],
    subscriptions: [...wiring(notify, topics.tell), erasing(database)],
    migrations: new URL('./migrations/', import.meta.url),
  };
}
