import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries } from '../../../kernel/database/queries.ts';
import { notFound, validationFailed } from '../../../kernel/failures.ts';
import type { NewId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import type { Audit } from '../../../kernel/records/audit.ts';
import { ERASED, namingOf, type Person, withoutNames } from '../../../kernel/records/erasure.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import {
  amountTooLarge,
  amountTooSmall,
  exchangeRateChanged,
  insufficientBalance,
  noExchangeRate,
} from '../contract.ts';
import { type ExchangeRate, MAX_RATE_DECIMALS } from './exchange-rates.model.ts';
import type { ExchangeRateStore } from './exchange-rates.store.ts';

export const rateNotFound = notFound('Exchange rate');

interface Worth {
  usdAmount: number;
  cents: number;
}

const NOBODY = 'system';

const viewOf = ({ id, updatedByEmail, ...rate }: ExchangeRate) => ({
  _id: id,
  ...rate,
  isActive: rate.effectiveTo === null,
  updatedBy: { email: updatedByEmail ?? NOBODY },
});

type ExchangeRateView = ReturnType<typeof viewOf>;

interface RateDeps {
  store: ExchangeRateStore;
  database: Database;
  audit: Audit;
  events: Events;
  clock: Clock;
  newId: NewId;
}

/** The value of one Key in each currency. The database does all arithmetic, in exact decimals. */
export function exchangeRateRules({ store, database, audit, events, clock, newId }: RateDeps) {
  async function worthOf(keys: number, currency: string): Promise<number> {
    const worth = await store.worthOf(keys, currency);
    if (worth === undefined) throw rateNotFound();
    return worth;
  }

  return {
    /** @throws rateNotFound */
    async current(currency: string): Promise<ExchangeRateView> {
      const rate = await store.current(currency);
      if (!rate) throw rateNotFound();
      return viewOf(rate);
    },
    active: async (page: PageRequest): Promise<Page<ExchangeRateView>> =>
      mapPage(await store.active(page), viewOf),
    history: async (currency: string, page: PageRequest): Promise<Page<ExchangeRateView>> =>
      mapPage(await store.history(currency, page), viewOf),

    /** Sets a currency's rate and closes the former at the same instant. @throws 422 for more than ten decimals */
    async set(
      { rate, currency, notes }: { rate: number; currency: string; notes: string },
      admin: UserCaller,
      facts: RequestFacts,
      idempotency: IdempotencyContext,
    ): Promise<ExchangeRateView> {
      const exact = decimalOf(rate);
      if (exact.decimals > MAX_RATE_DECIMALS)
        throw validationFailed([
          { field: 'rate', message: `must have at most ${MAX_RATE_DECIMALS} decimals` },
        ]);
      return database.transaction(async (tx) => {
        const replaced = await store.replace(tx, {
          id: newId(),
          currency,
          notes,
          rate: exact.text,
          updatedByEmail: admin.email,
          at: new Date(clock.now()),
        });
        const opened = viewOf(replaced);
        const details = { currency, rate, notes };
        await audit.record(tx, { ...actorOf(admin, facts), action: 'exchange-rate.set', details });
        await answered(tx, { idempotency }, opened);
        await events.publish(tx, exchangeRateChanged, { currency, rate });
        return opened;
      });
    },

    /** Replaces a deleted administrator in the rates that they have set, also under an address that was theirs then. May be repeated. */
    async erase(person: Person): Promise<void> {
      const addresses = [...person.emails, ...person.names.map(({ name }) => name)];
      const naming = namingOf({ emails: person.emails });
      for (const rate of await store.naming(addresses, naming, person.emailsUntil)) {
        const rest = (text: string) => withoutNames(text, person, rate.effectiveFrom);
        // Not a part of an address, as of admin@example.com if they were called so.
        const isTheirs = rest(rate.updatedByEmail ?? '') === ERASED;
        const updatedByEmail = isTheirs ? ERASED : rate.updatedByEmail;
        await store.rename({ ...rate, updatedByEmail, notes: rest(rate.notes) });
      }
    },

    /** Returns the value of Keys, rounded half-up to cents. @throws rateNotFound */
    worthOf,

    /**
     * Returns the number of whole Keys that an amount of money buys.
     * @throws rateNotFound, 422 beyond the safe integers
     */
    async keysFor(money: number, currency: string): Promise<number> {
      const keys = await store.keysFor(decimalOf(money).text, currency);
      if (keys === undefined) throw rateNotFound();
      if (!Number.isSafeInteger(Number(keys)))
        throw validationFailed([
          { field: 'usd', message: `buys more than ${Number.MAX_SAFE_INTEGER} Keys at this rate` },
        ]);
      return Number(keys);
    },

    /**
     * Converts a price to whole Keys, rounded up. @throws noExchangeRate, insufficientBalance beyond the safe integers
     */
    async priceInKeys(money: number, currency: string): Promise<number> {
      const [keys = null] = await store.pricesInKeys([{ money: decimalOf(money).text, currency }]);
      if (keys === null) throw noExchangeRate();
      if (!Number.isSafeInteger(Number(keys))) throw insufficientBalance();
      return Number(keys);
    },

    /** Converts prices as {@link priceInKeys} does, by one query; null for those that it refuses. */
    async pricesInKeys(all: { price: number; currency: string }[]): Promise<(number | null)[]> {
      if (all.length === 0) return [];
      const asked = all.map(({ price, currency }) => ({ money: decimalOf(price).text, currency }));
      return (await store.pricesInKeys(asked)).map((keys) =>
        keys !== null && Number.isSafeInteger(Number(keys)) ? Number(keys) : null,
      );
    },

    /**
     * Returns the current price of Keys, rounded half-up to the cent like every displayed amount. @throws
     * amountTooSmall
     */
    async priceOf(keys: number): Promise<Worth> {
      const { halfUp } = await store.centsOf(keys);
      if (halfUp === '0') throw amountTooSmall();
      return worthIn(halfUp);
    },

    /** Returns the current payout for Keys, rounded down to the cent. @throws amountTooSmall, amountTooLarge */
    async payoutOf(keys: number, maxCents: number, queries?: Queries): Promise<Worth> {
      const { down } = await store.centsOf(keys, queries);
      if (down === '0') throw amountTooSmall();
      const worth = worthIn(down);
      if (worth.cents > maxCents) throw amountTooLarge();
      return worth;
    },
  };
}

/** Inexact beyond the safe integers, which exceed every limit. */
function worthIn(centsText: string): Worth {
  const cents = Number(centsText);
  return { usdAmount: cents / 100, cents };
}

export type ExchangeRateRules = ReturnType<typeof exchangeRateRules>;

/** Returns a number as its shortest decimal representation, which is the form in which it was written. */
function decimalOf(value: number): { text: string; decimals: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return { text: String(value), decimals: Math.max(0, fraction.length - Number(exponent)) };
}
