import { Type } from 'typebox';
import { cursorQuery, DateTime, ObjectIdShape, optionalText } from '../../../kernel/operations/shapes.ts';
import { NamedMemberShape } from '../../identity/contract.ts';
import { Amount, TransactionInQuery } from '../../wallet/contract.ts';

const tipFields = {
  transactionId: Type.String({ examples: ['txn_0SR3RC5A9CXKS5FFT6Y4'] }),
  amount: Type.Integer({ description: 'Keys', examples: [25] }),
  educatorId: ObjectIdShape,
  message: Type.String({ examples: ['Thank you!'] }),
  createdAt: DateTime,
};

export const TipShape = Type.Object(tipFields, { $id: 'Tip' });

export const ListedTip = Type.Object(
  {
    ...tipFields,
    userId: Type.Unsafe<string>({ ...ObjectIdShape, description: 'The member who gave the tip' }),
    other: NamedMemberShape,
  },
  { $id: 'ListedTip' },
);

export const TipTotals = Type.Object(
  { tips: Type.Integer({ examples: [12] }), keys: Type.Integer({ examples: [300] }) },
  { $id: 'TipTotals' },
);

export const TipEducatorBody = Type.Object({
  amount: Amount,
  message: Type.Optional(optionalText(500, { examples: ['Thank you!'] })),
});

const pages = cursorQuery({ limit: 20, before: TransactionInQuery, cursorOf: ['transactionId'] });

export const ListSentTipsQuery = Type.Object(pages);

export const ListReceivedTipsQuery = Type.Object(pages);
