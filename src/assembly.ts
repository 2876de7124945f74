import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { backofficeDirectory } from './external/directory/backoffice.ts';
import { smtpMailer } from './external/mail/smtp.ts';
import { stripePayments } from './external/payment/stripe.ts';
import { streamedPrices } from './external/prices/stream.ts';
import { fcmPush, type ServiceAccount } from './external/push/fcm.ts';
import {
  areKeysOfABrowser,
  isPushEndpoint,
  PUSH_SERVICES,
  vapidKeysOf,
  webPush,
} from './external/push/web-push.ts';
import { httpSchedule } from './external/schedule/http.ts';
import type { Audit } from './kernel/audit.ts';
import type { CircuitBoard } from './kernel/circuit.ts';
import type { Database } from './kernel/database/database.ts';
import type { Events } from './kernel/events.ts';
import type { FanOut } from './kernel/fan-out.ts';
import type { NewId } from './kernel/ids.ts';
import type { Jobs } from './kernel/jobs.ts';
import type { Live } from './kernel/live.ts';
import type { Module } from './kernel/module.ts';
import type { Bus, Cache } from './kernel/shared/shared.ts';
import type { Clock } from './kernel/time.ts';
import { chatModule } from './modules/chat/index.ts';
import { communityModule } from './modules/community/index.ts';
import { educatorModule } from './modules/educators/index.ts';
import { identityModule } from './modules/identity/index.ts';
import { livestreamModule } from './modules/livestreams/index.ts';
import { mailModule } from './modules/mail/index.ts';
import { merchantModule } from './modules/merchant/index.ts';
import { notificationModule } from './modules/notifications/index.ts';
import { presenceModule } from './modules/presence/index.ts';
import { realtimeModule } from './modules/realtime/index.ts';
import { tradeModule } from './modules/trades/index.ts';
import { walletModule } from './modules/wallet/index.ts';

/** The configuration with everything known that a platform needs to run. */
export type PlatformConfig = Config & {
  databaseUrl: string;
  secretKey: string;
  /** Where the stand-ins of external systems are, in development. */
  sandboxUrl?: string;
  payments?: Payments | undefined;
  pushes?: Pushes | undefined;
};

/** How to reach the push service. */
export interface Pushes {
  account: ServiceAccount;
  apiUrl: string;
}

/** How to reach the payment provider. */
export interface Payments {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own. */
  apiUrl?: string;
}

interface SharedParts {
  database: Database;
  jobs: Jobs;
  cache: Cache;
  bus: Bus;
  live: Live;
  fanOut: FanOut;
  audit: Audit;
  clock: Clock;
  newId: NewId;
  log: Logger;
  events: Events;
  /** Where circuits tell whether they are open. */
  board: CircuitBoard;
  publicUrl: () => string;
}

/** Makes the modules, each handed the doors and the external systems that it needs. */
export function assemble(config: PlatformConfig, shared: SharedParts) {
  const { clock, log, board } = shared;
  const identity = identityOf(config, shared);
  const { payments, sandboxUrl = '' } = config;
  const merchant = merchantModule({
    ...shared,
    provider: payments && stripePayments({ ...payments, clock, board }),
    returnUrls: {
      success: config.checkoutSuccessUrl ?? `${sandboxUrl}/paid`,
      cancel: config.checkoutCancelUrl ?? `${sandboxUrl}/not-paid`,
    },
  });
  const wallet = walletModule({ ...shared, users: identity.door, merchant: merchant.door });
  const mailer = config.smtpUrl ? smtpMailer({ url: config.smtpUrl, from: config.mailFrom }) : undefined;
  const notifications = notificationModule({
    ...shared,
    mailer,
    ...pushing(config, clock),
    contactsOf: identity.door.contactsOf,
    livingSessionsOf: identity.door.livingSessionsOf,
    secretKey: config.secretKey,
  });
  const { presence, chat, realtime } = liveOf(config, shared, identity.door);
  const modules: Module[] = [
    ...[identity, merchant, wallet, notifications, presence, chat, realtime],
    ...[livestreamsOf(config, shared, identity.door), communityModule(shared), tradeModule(shared)],
    educatorModule({ identity: identity.door, chat: chat.door, notifications: notifications.door }),
  ];
  if (mailer) {
    const onRefused = (mail: object, error: Error) =>
      log.error({ ...mail, error: error.message }, 'a mail was refused');
    modules.push(mailModule({ mailer, identity: identity.door, onRefused }));
  }
  return { identity, wallet, notifications, realtime, mailer, modules };
}

function identityOf(config: PlatformConfig, shared: SharedParts) {
  const { environment, secretKey, passwordBlocklist, livePlatformUrl } = config;
  const { backofficeUrl: baseUrl, backofficeApiKey: apiKey } = config;
  const { clock, board } = shared;
  return identityModule({
    ...shared,
    directory:
      config.customerDirectory === 'backoffice' && baseUrl && apiKey
        ? backofficeDirectory({ baseUrl, apiKey, clock, board })
        : undefined,
    settings: {
      environment,
      secretKey,
      reuseLeewaySeconds: config.refreshReuseLeeway,
      refusesCommonPasswords:
        passwordBlocklist === 'on' || (passwordBlocklist === 'auto' && environment === 'production'),
      livePlatformUrl,
    },
  });
}

/** Chatrooms, who is in them, and the WebSocket. */
function liveOf(config: PlatformConfig, shared: SharedParts, identity: IdentityDoor) {
  const { environment, corsOrigins, trustedProxies = [], priceFeedUrl, priceFeedApiKey: apiKey } = config;
  const presence = presenceModule({ ...shared, onError: warning(shared, 'presence') });
  const chat = chatModule({ ...shared, ...identity, presence: presence.door });
  const onError = warning(shared, 'the price feed');
  const realtime = realtimeModule({
    ...shared,
    ...{ chat: chat.door, identity, presence: presence.door },
    openFeed: priceFeedUrl === undefined ? undefined : streamedPrices({ url: priceFeedUrl, apiKey, onError }),
    settings: {
      mostConnections: config.liveConnections,
      maxPerMember: config.liveConnectionsPerMember,
      origins: corsOrigins ?? (environment === 'production' ? [] : undefined),
      isProxied: trustedProxies.length > 0,
    },
  });
  return { presence, chat, realtime };
}

function livestreamsOf(config: PlatformConfig, shared: SharedParts, { permissionsOf }: IdentityDoor) {
  const { scheduleUrl: baseUrl, scheduleApiKey: apiKey } = config;
  const { clock, board } = shared;
  return livestreamModule({
    ...shared,
    permissionsOf,
    upstream: baseUrl === undefined ? undefined : httpSchedule({ baseUrl, apiKey, clock, board }),
    onError: warning(shared, 'the schedule'),
  });
}

type IdentityDoor = ReturnType<typeof identityModule>['door'];

const warning =
  ({ log }: SharedParts, what: string) =>
  (error: Error) =>
    log.warn({ error: error.message }, what);

/** Pushes to phones, if Firebase is set up, and to browsers. */
function pushing(config: PlatformConfig, clock: Clock) {
  const { pushes, sandboxUrl, mailFrom } = config;
  const keys = vapidKeysOf(config.secretKey);
  const services = [...(config.webPushServices ?? PUSH_SERVICES), ...(sandboxUrl ? [sandboxUrl] : [])];
  const subject = `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
  return {
    pushServices: {
      phones: pushes && fcmPush({ ...pushes, clock }),
      browsers: webPush({ keys, subject, services, clock }),
    },
    browserPush: {
      publicKey: keys.publicKey,
      isEndpoint: (endpoint: string) => isPushEndpoint(endpoint, services),
      areKeys: areKeysOfABrowser,
    },
  };
}
