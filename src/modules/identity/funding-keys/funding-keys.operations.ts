import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import {
  IssueFundingKeyResult,
  ValidateFundingKeyBody,
  ValidateFundingKeyResult,
} from './funding-keys.schemas.ts';
import { FUNDING_KEY_MS, type FundingKeys, invalidFundingKey } from './funding-keys.ts';

export const fundingKeyOperations = (keys: FundingKeys, accounts: Accounts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/admin/auth/users/:userId/funding-key',
    id: 'issueFundingKey',
    tag: 'User administration',
    summary: `Issue a one-time funding key that is valid for ${spelled(FUNDING_KEY_MS / MINUTE_MS)} minutes`,
    description:
      'The key is shown only in this response. The user redeems it with `POST /v1/user/validate-password`.',
    access: administrator,
    isSensitive: true,
    idempotent: true,
    answersSecret: true,
    params: Type.Object({ userId: pathId('user') }),
    success: created(IssueFundingKeyResult, {
      message: 'Funding key issued',
    }),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: ({ params, caller, facts, idempotency }) =>
      keys.issue(params.userId, caller.userId, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/user/validate-password',
    id: 'validateFundingKey',
    tag: 'Users',
    summary: 'Redeem your one-time funding key',
    access: member,
    body: ValidateFundingKeyBody,
    success: ok(ValidateFundingKeyResult, {
      message: 'The funding key is valid',
    }),
    failures: [invalidFundingKey],
    handle: async ({ body, caller }) => {
      await keys.spend(caller.userId, body.password);
      return { valid: true };
    },
  }),
];
