import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Module } from '../contract.ts';
import { tradeAnnounced } from './trades.live.ts';
import { tradeNotices } from './trades.notices.ts';
import { tradeOperations } from './trades.operations.ts';
import { tradeStore } from './trades.store.ts';
import { tradeRules } from './trades.ts';

interface TradeDeps {
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** Trade ideas. Owns the database schema `trades`. */
export const tradeModule = (deps: TradeDeps): Module<undefined> => ({
  name: 'trades',
  service: undefined,
  notices: tradeNotices,
  live: { messages: [tradeAnnounced] },
  operations: tradeOperations(tradeRules({ ...deps, store: tradeStore(deps.database) })),
});
