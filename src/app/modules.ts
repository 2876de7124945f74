import type { Core } from '../kernel/core.ts';
import type { Forwarding } from '../kernel/net/forwarding.ts';
import type { SystemBoard } from '../kernel/net/system-board.ts';
import type { EraseEverywhere } from '../kernel/records/erasure.ts';
import type { Secrets } from '../kernel/secrets.ts';
import { administrationModule } from '../modules/administration/module.ts';
import { analyticsModule } from '../modules/analytics/module.ts';
import { chatModule } from '../modules/chat/module.ts';
import { communityModule } from '../modules/community/module.ts';
import { educationModule } from '../modules/education/module.ts';
import { educatorModule } from '../modules/educators/module.ts';
import { exportModule } from '../modules/exports/module.ts';
import { identityModule, keyInUse } from '../modules/identity/module.ts';
import { indicatorModule } from '../modules/indicators/module.ts';
import { leaderboardModule } from '../modules/leaderboards/module.ts';
import { livestreamModule } from '../modules/livestreams/module.ts';
import { mailModule } from '../modules/mail/module.ts';
import { marketplaceModule } from '../modules/marketplace/module.ts';
import { mediaModule } from '../modules/media/module.ts';
import { memberModule } from '../modules/members/module.ts';
import { merchantModule } from '../modules/merchant/module.ts';
import { moderationModule } from '../modules/moderation/module.ts';
import type { Module } from '../modules/module.ts';
import { notificationModule } from '../modules/notifications/module.ts';
import { presenceModule } from '../modules/presence/module.ts';
import { realtimeModule } from '../modules/realtime/module.ts';
import { searchModule } from '../modules/search/module.ts';
import { tradeModule } from '../modules/trades/module.ts';
import type { Wallet } from '../modules/wallet/contract.ts';
import { walletModule } from '../modules/wallet/module.ts';
import { watchingModule } from '../modules/watching/module.ts';
import { webhookModule } from '../modules/webhooks/module.ts';
import { type PlatformConfig, runsJobs, shownSettings } from './config.ts';
import type { ExternalSystems } from './external-systems.ts';
import { platformVersion } from './version.ts';

export { keyInUse };

/** What the modules are created from, besides their settings and the services of other modules. */
interface ModuleParts {
  core: Core;
  secrets: Secrets;
  external: ExternalSystems;
  decorators: Decorators;
  erasePerson: EraseEverywhere;
  forwarding: Forwarding;
  /** Counts an unauthenticated attempt against the allowance of its address. */
  countAnonymous: (address: string) => Promise<number | undefined>;
  /** The browser origins that may use the API; undefined means all. */
  origins: string[] | undefined;
  publicUrl: () => string;
  systems: SystemBoard;
  /** Whether the process is about to stop. */
  isDraining: () => boolean;
}

/** Wraps services before other modules receive them. */
export interface Decorators {
  wallet?: (wallet: Wallet) => Wallet;
}

/**
 * Creates the modules in order of dependency. Each receives the core and, by name, its other dependencies: settings,
 * external systems, secrets and services of other modules.
 */
export function createModules(config: PlatformConfig, parts: ModuleParts) {
  const modules: Module[] = [];
  const add = <Service>(module: Module<Service>): Service => {
    modules.push(module);
    return module.service;
  };
  const { environment, role } = config;
  const { core, secrets, external, decorators, publicUrl } = parts;
  const { mailer, storage, transcoder, directory, breached, payments, returnUrls, charting } = external;

  const mails = add(mailModule({ ...core, mailer }));
  const media = add(
    mediaModule({
      ...core,
      storage,
      transcoder,
      secrets,
      publicUrl,
      works: runsJobs(role),
      settings: config.media,
    }),
  );
  const identity = add(
    identityModule({
      ...core,
      media,
      directory,
      breached,
      secrets,
      environment,
      erasePerson: parts.erasePerson,
      publicUrl,
      livePlatformUrl: config.livePlatform.url,
      settings: config.identity,
    }),
  );
  const { contactsOf, contactByEmail, activeSessionsOf } = identity;
  const merchant = add(merchantModule({ ...core, provider: payments, returnUrls }));
  const moderation = add(moderationModule({ ...core, identity }));
  add(memberModule({ identity, moderation }));
  const ledger = add(
    walletModule({ ...core, users: identity, merchant, moderation, settings: config.wallet }),
  );
  const wallet = decorators.wallet?.(ledger) ?? ledger;
  const { pushServices, browserPush } = external;
  const notifications = add(
    notificationModule({
      ...core,
      contactsOf,
      contactByEmail,
      activeSessionsOf,
      mails,
      moderation,
      pushServices,
      browserPush,
      secrets,
      publicUrl,
      settings: config.notifications,
    }),
  );
  const { fanOut } = notifications;
  const presence = add(presenceModule({ ...core, identity, moderation }));
  const chat = add(chatModule({ ...core, identity, presence, moderation, notifications }));
  const { forwarding, countAnonymous, origins } = parts;
  add(
    realtimeModule({
      ...core,
      chat,
      identity,
      presence,
      openFeed: external.openFeed,
      forwarding,
      countAnonymous,
      origins,
      settings: config.realtime,
    }),
  );
  add(
    livestreamModule({
      ...core,
      upstream: external.schedule,
      fanOut,
      notifications,
      moderation,
      identity,
    }),
  );
  const education = add(
    educationModule({ ...core, identity, wallet, media, moderation, notifications, fanOut, publicUrl }),
  );
  add(communityModule({ ...core, identity, fanOut, notifications, moderation }));
  const watching = add(watchingModule({ ...core, identity, settings: config.watching }));
  add(tradeModule({ ...core, identity, fanOut, notifications, moderation }));
  add(
    educatorModule({
      ...core,
      identity,
      chat,
      education,
      fanOut,
      media,
      moderation,
      notifications,
      wallet,
      settings: config.educators,
    }),
  );
  const { timeoutSeconds } = config.charting;
  const indicators = add(
    indicatorModule({ ...core, identity, charting, settings: { ...config.indicators, timeoutSeconds } }),
  );
  add(marketplaceModule({ ...core, indicators, identity, media, notifications }));
  add(searchModule(core));
  add(leaderboardModule({ ...core, identity, wallet, watching }));
  add(analyticsModule({ ...core, storage, settings: config.analytics }));
  add(exportModule({ ...core, identity, storage }));
  const administration = add(
    administrationModule({
      ...core,
      identity,
      process: { role, version: platformVersion(), isDraining: parts.isDraining },
      systems: parts.systems,
      settings: shownSettings(config),
    }),
  );
  add(
    webhookModule({
      ...core,
      secrets,
      isProduction: environment === 'production',
      version: platformVersion(),
      works: runsJobs(role),
    }),
  );
  return {
    modules,
    services: { identity, payments: merchant.payments, wallet: ledger, notifications, media, administration },
  };
}
