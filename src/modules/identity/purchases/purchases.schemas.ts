import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import {
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  readableText,
  refusedAs,
} from '../../../kernel/operations/shapes.ts';

export const PurchaseShape = Type.Object(
  {
    id: ObjectIdShape,
    sku: Type.String({ examples: ['XHSET101'] }),
    product_name: Type.String({ examples: ['Trading Essentials'] }),
    last_purchased_date: DateTime,
    createdAt: DateTime,
  },
  { $id: 'Purchase' },
);

export const RecordedPurchase = Type.Object(
  {
    ...PurchaseShape.properties,
    warning: nullable(
      Type.String({
        description: 'Why the purchase has no effect; null if it opens a platform',
        examples: ['The SKU XHSET100 opens no platform'],
      }),
    ),
  },
  { $id: 'RecordedPurchase' },
);

export const PurchaseDraft = Type.Object({
  sku: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', examples: ['XHSET101'] }),
  product_name: readableText(200, { examples: ['Trading Essentials'] }),
  last_purchased_date: Type.String({
    format: 'instant',
    maxLength: 40,
    description: 'At most a day ahead, for clocks and days that differ',
    examples: ['2026-11-01'],
  }),
});

export const ListPurchasesQuery = Type.Object(
  cursorQuery({ before: refusedAs(ObjectIdShape, invalidId('purchase'), null) }),
);
