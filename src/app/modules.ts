import { chartingPlatform } from '../external/charting/index.ts';
import { customerDirectory } from '../external/directory/index.ts';
import { mailer } from '../external/mail/index.ts';
import { paymentProvider } from '../external/payment/index.ts';
import { priceFeed } from '../external/prices/index.ts';
import { pushServices } from '../external/push/index.ts';
import { scheduleUpstream } from '../external/schedule/index.ts';
import { objectStorage } from '../external/storage/index.ts';
import { transcoder } from '../external/transcoder/index.ts';
import type { Core } from '../kernel/core.ts';
import type { CircuitBoard } from '../kernel/net/circuit-breaker.ts';
import type { Forwarding } from '../kernel/net/forwarding.ts';
import type { ErasePerson } from '../kernel/records/erasure.ts';
import { SECOND_MS } from '../kernel/time/time.ts';
import { analyticsModule } from '../modules/analytics/module.ts';
import { chatModule } from '../modules/chat/module.ts';
import { communityModule } from '../modules/community/module.ts';
import { educationModule } from '../modules/education/module.ts';
import { educatorModule } from '../modules/educators/module.ts';
import { identityModule } from '../modules/identity/module.ts';
import { indicatorModule } from '../modules/indicators/module.ts';
import { leaderboardModule } from '../modules/leaderboards/module.ts';
import { livestreamModule } from '../modules/livestreams/module.ts';
import { mailModule } from '../modules/mail/module.ts';
import { marketplaceModule } from '../modules/marketplace/module.ts';
import { mediaModule } from '../modules/media/module.ts';
import { merchantModule } from '../modules/merchant/module.ts';
import { moderationModule } from '../modules/moderation/module.ts';
import type { Module } from '../modules/module.ts';
import { notificationModule } from '../modules/notifications/module.ts';
import { presenceModule } from '../modules/presence/module.ts';
import { realtimeModule } from '../modules/realtime/module.ts';
import { searchModule } from '../modules/search/module.ts';
import { tradeModule } from '../modules/trades/module.ts';
import { walletModule } from '../modules/wallet/module.ts';
import { watchingModule } from '../modules/watching/module.ts';
import type { Config } from './config.ts';
import { switchedService } from './switched-service.ts';

/** A complete configuration, with which a platform can run. */
export type PlatformConfig = Config & {
  databaseUrl: string;
  secretKey: string;
  /** Base URL of the sandbox's external systems, in development. */
  sandboxUrl?: string;
  /** Whether other modules can reach the wallet; the sandbox can switch it off. */
  isWalletReachable?: () => boolean;
};

interface SharedParts extends Core {
  erasePerson: ErasePerson;
  forwarding: Forwarding;
  /** The board with which circuits register. */
  board: CircuitBoard;
  publicUrl: () => string;
}

/** Creates the modules in order of dependency, each with the services and the external systems that it needs. */
export function createModules(config: PlatformConfig, shared: SharedParts) {
  const modules: Module[] = [];
  const add = <Service>(module: Module<Service>): Service => {
    modules.push(module);
    return module.service;
  };
  const mails = add(mailModule(mailDeps(config, shared)));
  const media = add(mediaModule(mediaDeps(config, shared)));
  const identity = add(identityModule({ ...identityDeps(config, shared), media }));
  const { contactsOf, livingSessionsOf, permissionsOf } = identity;
  const merchant = add(merchantModule(merchantDeps(config, shared)));
  const moderation = add(moderationModule({ ...shared, identity }));
  const ledger = add(
    walletModule({
      ...shared,
      users: identity,
      merchant,
      moderation,
      maxRemembered: config.rememberedAccounts,
    }),
  );
  const { isWalletReachable } = config;
  const wallet = isWalletReachable ? switchedService(ledger, isWalletReachable) : ledger;
  const notifications = add(
    notificationModule({
      ...shared,
      ...pushDeps(config, shared),
      contactsOf,
      livingSessionsOf,
      mails,
      moderation,
    }),
  );
  const { fanOut } = notifications;
  const presence = add(presenceModule({ ...shared, onError: warning(shared, 'presence') }));
  const chat = add(chatModule({ ...shared, ...identity, presence, moderation }));
  add(realtimeModule({ ...shared, ...liveDeps(config, shared), chat, identity, presence }));
  add(livestreamModule({ ...shared, ...scheduleDeps(config, shared), fanOut, permissionsOf }));
  const education = add(educationModule({ ...shared, identity, wallet, media, notifications, fanOut }));
  add(communityModule({ ...shared, fanOut, moderation }));
  const watching = add(watchingModule(shared));
  add(tradeModule({ ...shared, fanOut }));
  add(
    educatorModule({
      ...shared,
      identity,
      chat,
      education,
      fanOut,
      media,
      moderation,
      notifications,
      wallet,
      settings: { hidesEmails: config.hideEducatorEmails === 'on', storyHours: config.storyHours },
    }),
  );
  const indicators = add(indicatorModule({ ...shared, ...indicatorDeps(config), identity }));
  add(marketplaceModule({ ...shared, indicators, identity, media }));
  add(searchModule(shared));
  add(leaderboardModule({ ...shared, identity, wallet, watching }));
  add(analyticsModule({ ...shared, retentionDays: config.analyticsRetentionDays }));
  return { modules, services: { identity, wallet: ledger, notifications, media } };
}

function mailDeps(config: PlatformConfig, { log }: SharedParts) {
  return {
    mailer: mailer(config),
    onRejected: (mail: object, error: string) => log.error({ ...mail, error }, 'mail rejected by the server'),
  };
}

function merchantDeps(config: PlatformConfig, shared: SharedParts) {
  // Both are required with a payment provider, and unused without one.
  const { checkoutSuccessUrl: success = '', checkoutCancelUrl: cancel = '' } = config;
  return { ...shared, provider: paymentProvider(config, shared), returnUrls: { success, cancel } };
}

function indicatorDeps(config: PlatformConfig) {
  return {
    charting: chartingPlatform(config),
    settings: {
      graceDays: config.indicatorGraceDays,
      callsPerSecond: config.chartingRate,
      concurrency: config.chartingConcurrency,
      timeoutMs: config.chartingTimeoutSeconds * SECOND_MS,
      maxAttempts: config.chartingAttempts,
      retryMs: config.chartingRetrySeconds * SECOND_MS,
    },
  };
}

function mediaDeps(config: PlatformConfig, shared: SharedParts) {
  return {
    ...shared,
    secretKey: config.secretKey,
    storage: objectStorage(config, shared),
    transcoder: transcoder(config),
    settings: {
      videoMaxBytes: config.videoMaxBytes,
      concurrency: config.transcodeConcurrency,
      delivery: config.videoDelivery,
      cacheBytes: config.videoCacheMebibytes * 1024 ** 2,
      publicFilesUrl: config.publicFilesUrl,
      works: config.role !== 'api',
    },
  };
}

function identityDeps(config: PlatformConfig, shared: SharedParts) {
  const { environment, secretKey, passwordBlocklist, livePlatformUrl } = config;
  return {
    ...shared,
    directory: customerDirectory(config, shared),
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
  const { environment, corsOrigins } = config;
  return {
    openFeed: priceFeed(config, { onError: warning(shared, 'the price feed') }),
    settings: {
      mostConnections: config.liveConnections,
      maxPerMember: config.liveConnectionsPerMember,
      origins: corsOrigins ?? (environment === 'production' ? [] : undefined),
    },
  };
}

function scheduleDeps(config: PlatformConfig, shared: SharedParts) {
  return { upstream: scheduleUpstream(config, shared), onError: warning(shared, 'the schedule') };
}

function pushDeps(config: PlatformConfig, { clock }: SharedParts) {
  const { mailFrom, secretKey } = config;
  const subject = `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
  return { secretKey, ...pushServices(config, { clock, secretKey, subject }) };
}

/** Returns a handler that logs transient background errors as warnings. */
const warning =
  ({ log }: SharedParts, what: string) =>
  (error: Error) =>
    log.warn({ error: error.message }, what);
