import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { ChartingAddress } from './external/charting/index.ts';
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
import { type S3Address, s3Storage } from './external/storage/s3.ts';
import { ffmpegTranscoder } from './external/transcoder/ffmpeg.ts';
import type { Audit } from './kernel/audit.ts';
import type { CircuitBoard } from './kernel/circuit.ts';
import type { Database } from './kernel/database/database.ts';
import type { Events } from './kernel/events.ts';
import type { FanOut } from './kernel/fan-out.ts';
import type { NewId } from './kernel/ids.ts';
import type { Jobs } from './kernel/jobs.ts';
import type { Live } from './kernel/live.ts';
import type { Bus, Cache } from './kernel/shared/shared.ts';
import type { Clock } from './kernel/time.ts';
import { chatModule } from './modules/chat/module.ts';
import { communityModule } from './modules/community/module.ts';
import type { Module } from './modules/contract.ts';
import { educationModule } from './modules/education/module.ts';
import { educatorModule } from './modules/educators/module.ts';
import { identityModule } from './modules/identity/module.ts';
import { livestreamModule } from './modules/livestreams/module.ts';
import { mailModule } from './modules/mail/module.ts';
import { mediaModule } from './modules/media/module.ts';
import { merchantModule } from './modules/merchant/module.ts';
import { notificationModule } from './modules/notifications/module.ts';
import { presenceModule } from './modules/presence/module.ts';
import { realtimeModule } from './modules/realtime/module.ts';
import { tradeModule } from './modules/trades/module.ts';
import { walletModule } from './modules/wallet/module.ts';

/** The configuration with everything known that a platform needs to run. */
export type PlatformConfig = Config & {
  databaseUrl: string;
  secretKey: string;
  /** Where the stand-ins of external systems are, in development. */
  sandboxUrl?: string;
  payments?: Payments | undefined;
  pushes?: Pushes | undefined;
  storage?: S3Address | undefined;
  charting?: ChartingAddress | undefined;
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

/** Makes the modules in order of dependency, each with the services and the external systems that it needs. */
export function createModules(config: PlatformConfig, shared: SharedParts) {
  const modules: Module[] = [];
  const add = <Service>(module: Module<Service>): Service => {
    modules.push(module);
    return module.service;
  };
  const mails = add(mailModule(mailDeps(config, shared)));
  const identity = add(identityModule(identityDeps(config, shared)));
  const { contactsOf, livingSessionsOf, permissionsOf } = identity;
  const merchant = add(merchantModule(merchantDeps(config, shared)));
  const wallet = add(walletModule({ ...shared, users: identity, merchant }));
  const notifications = add(
    notificationModule({ ...shared, ...pushDeps(config, shared), contactsOf, livingSessionsOf, mails }),
  );
  const media = add(mediaModule(mediaDeps(config, shared)));
  const presence = add(presenceModule({ ...shared, onError: warning(shared, 'presence') }));
  const chat = add(chatModule({ ...shared, ...identity, presence }));
  add(realtimeModule({ ...shared, ...liveDeps(config, shared), chat, identity, presence }));
  add(livestreamModule({ ...shared, ...scheduleDeps(config, shared), permissionsOf }));
  add(educationModule({ ...shared, identity, wallet, media, notifications }));
  add(communityModule(shared));
  add(tradeModule(shared));
  add(educatorModule({ identity, chat, notifications }));
  return { modules, services: { identity, wallet, notifications, media } };
}

function mailDeps({ smtpUrl, mailFrom }: PlatformConfig, { log }: SharedParts) {
  return {
    mailer: smtpUrl ? smtpMailer({ url: smtpUrl, from: mailFrom }) : undefined,
    onRejected: (mail: object, error: string) => log.error({ ...mail, error }, 'mail rejected by the server'),
  };
}

function merchantDeps({ payments, sandboxUrl = '', ...config }: PlatformConfig, shared: SharedParts) {
  return {
    ...shared,
    provider: payments && stripePayments({ ...payments, clock: shared.clock, board: shared.board }),
    returnUrls: {
      success: config.checkoutSuccessUrl ?? `${sandboxUrl}/paid`,
      cancel: config.checkoutCancelUrl ?? `${sandboxUrl}/not-paid`,
    },
  };
}

/** Videos of up to two stretches are made in one go. */
const MIN_STRETCHES = 2;

function mediaDeps({ storage, secretKey, ...config }: PlatformConfig, shared: SharedParts) {
  return {
    ...shared,
    secretKey,
    storage: storage && s3Storage({ ...storage, clock: shared.clock }),
    transcoder: ffmpegTranscoder({
      ffmpegPath: config.ffmpegPath,
      workFolder: config.videoWorkDir,
      threads: config.transcodeThreads,
      niceness: config.transcodeNiceness,
      stretchSeconds: config.videoStretchSeconds,
      stretchThresholdSeconds: MIN_STRETCHES * config.videoStretchSeconds,
    }),
    settings: {
      videoMaxBytes: config.videoMaxBytes,
      concurrency: config.transcodeConcurrency,
      delivery: config.videoDelivery,
      works: config.role !== 'api',
    },
  };
}

function identityDeps(config: PlatformConfig, shared: SharedParts) {
  const { environment, secretKey, passwordBlocklist, livePlatformUrl } = config;
  const { backofficeUrl: baseUrl, backofficeApiKey: apiKey } = config;
  const { clock, board } = shared;
  return {
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
  };
}

function liveDeps(config: PlatformConfig, shared: SharedParts) {
  const { environment, corsOrigins, trustedProxies = [], priceFeedUrl, priceFeedApiKey: apiKey } = config;
  const onError = warning(shared, 'the price feed');
  return {
    openFeed: priceFeedUrl === undefined ? undefined : streamedPrices({ url: priceFeedUrl, apiKey, onError }),
    settings: {
      mostConnections: config.liveConnections,
      maxPerMember: config.liveConnectionsPerMember,
      origins: corsOrigins ?? (environment === 'production' ? [] : undefined),
      isProxied: trustedProxies.length > 0,
    },
  };
}

function scheduleDeps({ scheduleUrl: baseUrl, scheduleApiKey: apiKey }: PlatformConfig, shared: SharedParts) {
  const { clock, board } = shared;
  return {
    upstream: baseUrl === undefined ? undefined : httpSchedule({ baseUrl, apiKey, clock, board }),
    onError: warning(shared, 'the schedule'),
  };
}

const warning =
  ({ log }: SharedParts, what: string) =>
  (error: Error) =>
    log.warn({ error: error.message }, what);

/** Pushes to phones, if Firebase is configured, and to browsers. */
function pushDeps(config: PlatformConfig, { clock }: SharedParts) {
  const { pushes, sandboxUrl, mailFrom, secretKey } = config;
  const keys = vapidKeysOf(secretKey);
  const services = [...(config.webPushServices ?? PUSH_SERVICES), ...(sandboxUrl ? [sandboxUrl] : [])];
  const subject = `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
  return {
    secretKey,
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
