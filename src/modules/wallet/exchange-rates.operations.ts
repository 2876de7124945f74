import { Type } from 'typebox';
import { administrator, member } from '../../kernel/operations/access.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, MAX_INTEGER, nullable, ObjectIdShape, pageQuery } from '../../kernel/operations/shapes.ts';
import { type ExchangeRateRules, RATE_BOUNDS, rateNotFound } from './exchange-rates.ts';

const tag = 'Exchange rates';

const Currency = Type.String({
  format: 'currency',
  maxLength: 3,
  default: 'USD',
  description: 'A currency code of ISO 4217',
  examples: ['USD'],
});
const CurrencyOut = Type.String({ description: 'ISO 4217', examples: ['USD'] });
const MAX_MONEY = 1e15;

const ExchangeRateShape = Type.Object(
  {
    _id: ObjectIdShape,
    rate: Type.Number({ description: 'What one Key is worth', examples: [0.1] }),
    currency: CurrencyOut,
    isActive: Type.Boolean({ examples: [true] }),
    effectiveFrom: DateTime,
    effectiveTo: nullable(DateTime),
    updatedBy: Type.Object({ email: Type.String({ examples: ['admin@example.com'] }) }),
    notes: Type.String({ examples: ['Spring prices'] }),
  },
  { $id: 'ExchangeRate' },
);

export const exchangeRateOperations = (rates: ExchangeRateRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/exchange-rates/current',
    id: 'getExchangeRate',
    tag,
    summary: 'What one Key is worth now',
    access: member,
    query: Type.Object({ currency: Currency }),
    success: ok(ExchangeRateShape),
    failures: [rateNotFound],
    handle: ({ query }) => rates.current(query.currency),
  }),
  operation({
    method: 'POST',
    path: '/v1/exchange-rates',
    id: 'setExchangeRate',
    tag,
    summary: 'Set what one Key is worth',
    description: 'Closes the former rate of the currency at the same instant.',
    access: administrator,
    body: Type.Object({
      rate: Type.Number({
        minimum: RATE_BOUNDS.least,
        maximum: RATE_BOUNDS.most,
        description: 'At most ten decimals',
        examples: [0.1],
      }),
      currency: Currency,
      notes: Type.String({ maxLength: 500, default: '', examples: ['Spring prices'] }),
    }),
    idempotent: true,
    success: created(ExchangeRateShape, { message: 'Exchange rate updated successfully' }),
    handle: ({ body, caller, facts, idempotency }) => rates.set(body, caller, facts, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/exchange-rates/history',
    id: 'listExchangeRates',
    tag,
    summary: 'Rates of a currency, newest first',
    access: member,
    query: Type.Object({ currency: Currency, ...pageQuery({ limit: 50 }) }),
    success: pageOf(ExchangeRateShape),
    handle: ({ query: { currency, ...page } }) => rates.history(currency, page),
  }),
  operation({
    method: 'GET',
    path: '/v1/exchange-rates/active',
    id: 'listActiveExchangeRates',
    tag,
    summary: 'The rate of each currency',
    access: member,
    query: Type.Object(pageQuery({ limit: 100 })),
    success: pageOf(ExchangeRateShape),
    handle: ({ query }) => rates.active(query),
  }),
  operation({
    method: 'POST',
    path: '/v1/exchange-rates/convert/keys-to-usd',
    id: 'convertKeysToMoney',
    tag,
    summary: 'What Keys are worth',
    description: 'Rounded half-up to cents. With another `currency`, `usd` is in that currency.',
    access: member,
    body: Type.Object({
      keys: Type.Integer({ minimum: 0, maximum: MAX_INTEGER, examples: [25] }),
      currency: Currency,
    }),
    success: ok(
      Type.Object({ keys: Type.Integer(), usd: Type.Number({ examples: [2.5] }), currency: CurrencyOut }),
    ),
    failures: [rateNotFound],
    handle: async ({ body: { keys, currency } }) => ({
      keys,
      usd: await rates.worthOf(keys, currency),
      currency,
    }),
  }),
  operation({
    method: 'POST',
    path: '/v1/exchange-rates/convert/usd-to-keys',
    id: 'convertMoneyToKeys',
    tag,
    summary: 'How many Keys money buys',
    description: 'Rounded down to whole Keys. With another `currency`, `usd` is in that currency.',
    access: member,
    body: Type.Object({
      usd: Type.Number({ minimum: 0, maximum: MAX_MONEY, examples: [2.59] }),
      currency: Currency,
    }),
    success: ok(
      Type.Object({ usd: Type.Number(), keys: Type.Integer({ examples: [25] }), currency: CurrencyOut }),
    ),
    failures: [rateNotFound],
    handle: async ({ body: { usd, currency } }) => ({
      usd,
      keys: await rates.keysFor(usd, currency),
      currency,
    }),
  }),
];
