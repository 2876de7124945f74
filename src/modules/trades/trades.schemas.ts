import { Type } from 'typebox';
import { SYMBOL_MESSAGE, SYMBOL_PATTERN } from '../../external/prices/port.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { asRead } from '../../kernel/operations/lost-updates.ts';
import {
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { DIRECTIONS, TRADE_STATUSES } from './trades.model.ts';

const SymbolShape = Type.String({
  pattern: SYMBOL_PATTERN,
  patternMessage: SYMBOL_MESSAGE,
  examples: ['EURUSD'],
});

const GREATEST_PRICE = 1e12;
/** The cheapest tokens are quoted with eleven decimals. */
const LEAST_PRICE = 1e-12;

/** Also of ideas from before prices had a least value. */
const Price = Type.Number({ exclusiveMinimum: 0, maximum: GREATEST_PRICE, examples: [1.0842] });
const NewPrice = Type.Number({ minimum: LEAST_PRICE, maximum: GREATEST_PRICE, examples: [1.0842] });

export const TradeShape = Type.Object(
  {
    id: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    symbol: SymbolShape,
    direction: oneOf(DIRECTIONS),
    entryPrice: Price,
    stopLoss: nullable(Price),
    takeProfit: nullable(Price),
    note: Type.String(),
    status: oneOf(TRADE_STATUSES),
    exitPrice: nullable(Price),
    createdAt: DateTime,
    updatedAt: { ...DateTime, description: 'When it was last changed or closed' },
    closedAt: nullable(DateTime),
  },
  { $id: 'Trade' },
);

export const ListTradesQuery = Type.Object({
  ...cursorQuery(),
  symbol: Type.Optional(SymbolShape),
  status: Type.Optional(oneOf(TRADE_STATUSES)),
  userId: Type.Optional(bodyId('user')),
});

export const CreateTradeBody = Type.Object({
  symbol: SymbolShape,
  direction: oneOf(DIRECTIONS),
  entryPrice: NewPrice,
  stopLoss: Type.Optional(NewPrice),
  takeProfit: Type.Optional(NewPrice),
  note: Type.Optional(optionalText(2000)),
});

export const UpdateTradeBody = Type.Object({
  stopLoss: Type.Optional(nullable(NewPrice)),
  takeProfit: Type.Optional(nullable(NewPrice)),
  note: CreateTradeBody.properties.note,
  ...asRead,
});

export const CloseTradeBody = Type.Object({ exitPrice: NewPrice });
