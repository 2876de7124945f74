import { Type } from 'typebox';
import {
  DateTime,
  MAX_INTEGER,
  nullable,
  ObjectIdShape,
  optionalText,
  pageQuery,
} from '../../../kernel/operations/shapes.ts';
import { MAX_RATE_DECIMALS, RATE_BOUNDS } from './exchange-rates.model.ts';

const Currency = Type.String({
  format: 'currency',
  maxLength: 3,
  default: 'USD',
  description: 'A currency code of ISO 4217',
  examples: ['USD'],
});

const CurrencyOut = Type.String({
  documented: { pattern: '^[A-Z]{3}$' },
  description: 'ISO 4217',
  examples: ['USD'],
});

const MAX_MONEY = 1e15;

export const ExchangeRateShape = Type.Object(
  {
    _id: ObjectIdShape,
    rate: Type.Number({ description: 'The value of one Key', examples: [0.1] }),
    currency: CurrencyOut,
    isActive: Type.Boolean({ examples: [true] }),
    effectiveFrom: DateTime,
    effectiveTo: nullable(DateTime),
    updatedBy: Type.Object({ email: Type.String({ examples: ['admin@example.com'] }) }),
    notes: Type.String({ examples: ['Spring prices'] }),
  },
  { $id: 'ExchangeRate' },
);

export const GetExchangeRateQuery = Type.Object({ currency: Currency });

export const SetExchangeRateBody = Type.Object({
  rate: Type.Number({
    minimum: RATE_BOUNDS.least,
    maximum: RATE_BOUNDS.most,
    description: `At most ${MAX_RATE_DECIMALS} decimals`,
    examples: [0.1],
  }),
  currency: Currency,
  notes: optionalText(500, { default: '', examples: ['Spring prices'] }),
});

export const ListExchangeRatesQuery = Type.Object({ currency: Currency, ...pageQuery({ limit: 50 }) });

export const ListActiveExchangeRatesQuery = Type.Object(pageQuery({ limit: 100 }));

export const ConvertKeysToMoneyBody = Type.Object({
  keys: Type.Integer({ minimum: 0, maximum: MAX_INTEGER, examples: [25] }),
  currency: Currency,
});

export const ConvertKeysToMoneyResult = Type.Object({
  keys: Type.Integer(),
  usd: Type.Number({ examples: [2.5] }),
  currency: CurrencyOut,
});

export const ConvertMoneyToKeysBody = Type.Object({
  usd: Type.Number({ minimum: 0, maximum: MAX_MONEY, examples: [2.59] }),
  currency: Currency,
});

export const ConvertMoneyToKeysResult = Type.Object({
  usd: Type.Number(),
  keys: Type.Integer({ examples: [25] }),
  currency: CurrencyOut,
});
