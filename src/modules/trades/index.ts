import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { Module } from '../../kernel/module.ts';
import type { Clock } from '../../kernel/time.ts';
import { tradeOperations } from './trades.operations.ts';
import { tradeRules } from './trades.ts';

export { tradeCreated } from './trades.ts';

interface TradeNeeds {
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** Trade ideas. Owns the database schema `trades`. */
export const tradeModule = (needs: TradeNeeds): Module<undefined> => ({
  name: 'trades',
  door: undefined,
  operations: tradeOperations(tradeRules(needs)),
  migrations: new URL('./migrations/', import.meta.url),
});
