import type { Core } from '../kernel/core.ts';
import type { Forwarding } from '../kernel/net/forwarding.ts';
import type { ErasePerson } from '../kernel/records/erasure.ts';
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
import type { PlatformConfig } from './config.ts';
import type { ExternalSystems } from './external-systems.ts';

/** What gateway and modules are made with, besides the services of other modules. */
interface SharedParts extends Core, ExternalSystems {
  decorators: Decorators;
  erasePerson: ErasePerson;
  forwarding: Forwarding;
  /** Counts something against the allowance that an address has without credentials. */
  countStranger: (address: string) => Promise<number | undefined>;
  /** The browser origins that may use the API; undefined means all. */
  origins: string[] | undefined;
  publicUrl: () => string;
}

/** Wraps services before other modules receive them. */
export interface Decorators {
  wallet?: (wallet: Wallet) => Wallet;
}

/** Creates the modules in order of dependency, each with the services and the external systems that it needs. */
export function createModules(config: PlatformConfig, { decorators, ...parts }: SharedParts) {
  const modules: Module[] = [];
  const add = <Service>(module: Module<Service>): Service => {
    modules.push(module);
    return module.service;
  };
  const { secretKey, environment } = config;
  const shared = { ...parts, secretKey };
  const mails = add(mailModule(shared));
  const media = add(mediaModule({ ...shared, works: config.role !== 'api', settings: config.media }));
  const identity = add(
    identityModule({
      ...shared,
      media,
      environment,
      livePlatformUrl: config.livePlatform.url,
      settings: config.identity,
    }),
  );
  const { contactsOf, profilesOf, livingSessionsOf, permissionsOf } = identity;
  const merchant = add(merchantModule({ ...shared, provider: shared.payments }));
  const moderation = add(moderationModule({ ...shared, identity }));
  add(memberModule({ identity, moderation }));
  const ledger = add(
    walletModule({ ...shared, users: identity, merchant, moderation, settings: config.wallet }),
  );
  const wallet = decorators.wallet?.(ledger) ?? ledger;
  const notifications = add(
    notificationModule({ ...shared, contactsOf, livingSessionsOf, mails, moderation }),
  );
  const { fanOut } = notifications;
  const presence = add(presenceModule(shared));
  const chat = add(chatModule({ ...shared, contactsOf, profilesOf, presence, moderation }));
  add(realtimeModule({ ...shared, chat, identity, presence, settings: config.realtime }));
  add(livestreamModule({ ...shared, upstream: shared.schedule, fanOut, moderation, permissionsOf }));
  const education = add(
    educationModule({ ...shared, identity, wallet, media, moderation, notifications, fanOut }),
  );
  add(communityModule({ ...shared, fanOut, moderation }));
  const watching = add(watchingModule(shared));
  add(tradeModule({ ...shared, fanOut, moderation }));
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
      settings: config.educators,
    }),
  );
  const indicators = add(
    indicatorModule({
      ...shared,
      identity,
      settings: { ...config.indicators, timeoutSeconds: config.charting.timeoutSeconds },
    }),
  );
  add(marketplaceModule({ ...shared, indicators, identity, media }));
  add(searchModule(shared));
  add(leaderboardModule({ ...shared, identity, wallet, watching }));
  add(analyticsModule({ ...shared, settings: config.analytics }));
  return { modules, services: { identity, wallet: ledger, notifications, media } };
}
