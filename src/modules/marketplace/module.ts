import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Indicators } from '../indicators/contract.ts';
import type { Media } from '../media/contract.ts';
import type { Module } from '../module.ts';
import type { Notifications } from '../notifications/contract.ts';
import { marketplaceAdministration } from './marketplace.administration.ts';
import { marketplaceNotices } from './marketplace.notices.ts';
import { marketplaceInternalEvents, marketplacePublicEvents } from './marketplace.public-events.ts';
import { marketplaceRecords } from './member-records.store.ts';
import { productOperations } from './products.operations.ts';
import { productStore } from './products.store.ts';
import { productRules } from './products.ts';
import { requestOperations } from './requests.operations.ts';
import { requestStore } from './requests.store.ts';
import { requestRules } from './requests.ts';
import { reviewing } from './reviewing.ts';

interface MarketplaceDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId'> {
  indicators: Indicators;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
  media: Pick<Media, 'requestPublicUpload' | 'uploadFaults' | 'checkPublicUrls'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Marketplace: products, and members' requests for them. Owns the database schema `marketplace`. */
export function marketplaceModule(deps: MarketplaceDeps): Module {
  const { database, media } = deps;
  const productTable = productStore(database);
  const requestTable = requestStore(database);
  const products = productRules({ ...deps, store: productTable });
  const ofRequests = { ...deps, store: requestTable, products: productTable };
  return {
    name: 'marketplace',
    memberRecords: marketplaceRecords,
    publicEvents: marketplacePublicEvents,
    internalEvents: marketplaceInternalEvents,
    seed: async () => (await import('./marketplace.seed.ts')).marketplaceSeed,
    sections: { Marketplace: 'Products with access to indicators, requests for them, and their review.' },
    service: undefined,
    operations: [
      ...productOperations(products, media),
      ...requestOperations(requestRules(ofRequests), reviewing(ofRequests)),
    ],
    worklists: [{ name: 'accessRequests', read: requestTable.backlog }],
    ...marketplaceAdministration(requestTable),
    notices: marketplaceNotices({ requests: requestTable, products: productTable }),
    subscriptions: [
      on(userDeleted, 'marketplace', ({ data: { userId } }, tx) => requestTable.eraseOf(tx, userId)),
    ],
  };
}
