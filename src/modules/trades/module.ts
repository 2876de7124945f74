import type { Core } from '../../kernel/core.ts';
import type { Identity } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut } from '../notifications/contract.ts';
import { tradeRecords } from './member-records.store.ts';
import { tradeAnnounced } from './trades.live.ts';
import { tradeMeasures } from './trades.measures.ts';
import { tradeNotices } from './trades.notices.ts';
import { tradeOperations } from './trades.operations.ts';
import { tradeInternalEvents, tradePublicEvents } from './trades.public-events.ts';
import { tradeSearchable } from './trades.searchable.ts';
import { tradeStore } from './trades.store.ts';
import { tradeRules } from './trades.ts';

interface TradeDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  fanOut: FanOut;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'maySpeak'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Trade ideas. Owns the database schema `trades`. */
export function tradeModule(deps: TradeDeps): Module<undefined> {
  const store = tradeStore(deps.database);
  return {
    name: 'trades',
    memberRecords: tradeRecords,
    publicEvents: tradePublicEvents,
    internalEvents: tradeInternalEvents,
    seed: async () => (await import('./trades.seed.ts')).tradeSeed,
    sections: { 'Trade ideas': 'Ideas for trades, and how they ended.' },
    topics: ['TRADE_IDEAS'],
    service: undefined,
    notices: tradeNotices(store),
    measures: tradeMeasures(store),
    searchable: tradeSearchable(store),
    live: { messages: [tradeAnnounced] },
    operations: tradeOperations(tradeRules({ ...deps, store }), deps.identity),
  };
}
