import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../../kernel/operations/shapes.ts';

export const VerificationShape = Type.Object(
  {
    at: DateTime,
    head: Type.String({
      description:
        'A hash over the newest hash of every account: comparing it with an earlier copy reveals a rewritten history',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    transactions: Type.Integer({ examples: [1204] }),
    entries: Type.Integer({ examples: [2412] }),
    issued: nullable(
      Type.Integer({
        description:
          'All Keys that were issued, also those that were paid out meanwhile: what `CIRCULATION_LIMIT_EXCEEDED` limits. Null in a verification by an earlier release',
        examples: [120_000],
      }),
    ),
    inCirculation: Type.Integer({
      description: 'Keys in all wallets, held ones included',
      examples: [90_000],
    }),
    scope: oneOf(['whole', 'since-last-proof'], {
      description: 'Whether the whole ledger was verified, or what came after the previous verification',
    }),
    wholeAt: nullable({ ...DateTime, description: 'When the whole ledger was last verified' }),
    sound: Type.Boolean({ description: 'Whether every invariant holds' }),
    broken: Type.Array(
      Type.Object({
        invariant: Type.String({ examples: ['all balances sum to zero'] }),
        at: Type.Array(Type.String(), { description: 'The first few violations' }),
      }),
    ),
  },
  { $id: 'LedgerVerification' },
);

export const LatestProof = nullable(
  Type.Object(
    { at: DateTime, sound: Type.Boolean() },
    { description: 'What the latest verification of the ledger found' },
  ),
);

export const VerificationRequested = Type.Object({ requestedAt: DateTime });
