import type { Core } from '../../kernel/core.ts';
import type { Identity } from '../identity/contract.ts';
import type { Moderation, Reportable } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { tradeRecords } from './member-records.store.ts';
import { tradeAnnounced, tradeRemoved, tradeUpdated } from './trades.live.ts';
import { tradeMeasures } from './trades.measures.ts';
import { tradeNotices } from './trades.notices.ts';
import { tradeOperations } from './trades.operations.ts';
import { tradeInternalEvents, tradePublicEvents } from './trades.public-events.ts';
import { tradeSearchable } from './trades.searchable.ts';
import { tradeStore } from './trades.store.ts';
import { type TradeRules, tradeRules } from './trades.ts';

interface TradeDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'maySpeak' | 'closeReports'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** Trade ideas. Owns the database schema `trades`. */
export function tradeModule(deps: TradeDeps): Module<undefined> {
  const store = tradeStore(deps.database);
  const trades = tradeRules({ ...deps, store });
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
    live: { messages: [tradeAnnounced, tradeUpdated, tradeRemoved] },
    operations: tradeOperations(trades, deps.identity),
    reportables: [reportableOf(trades)],
  };
}

/** Every member may report a trade idea, as every member reads it. */
const reportableOf = (trades: TradeRules): Reportable => ({
  kind: 'trade',
  find: async (id) => {
    const { userId, symbol, direction, note } = await trades.find(id);
    return { authorId: userId, text: `${symbol} ${direction}\n${note}`.trim(), containerId: null };
  },
  remove: (tx, id) => trades.removeReportedIn(tx, id),
});
