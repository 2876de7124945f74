import { Type } from 'typebox';
import { DateTime } from '../../../kernel/operations/shapes.ts';

const FundingKeyShape = Type.String({ minLength: 1, maxLength: 200, examples: ['q3Zl0l7s...'] });

export const IssueFundingKeyResult = Type.Object(
  { fundingKey: FundingKeyShape, expiresAt: DateTime },
  { $id: 'FundingKey' },
);

export const ValidateFundingKeyBody = Type.Object({
  password: { ...FundingKeyShape, description: 'The funding key' },
});

export const ValidateFundingKeyResult = Type.Object({ valid: Type.Boolean({ examples: [true] }) });
