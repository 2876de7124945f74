import type { Identity } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { memberOperations } from './members.operations.ts';
import { memberRules } from './members.ts';

interface MemberDeps {
  identity: Pick<Identity, 'cardsOf'>;
  moderation: Pick<Moderation, 'blocksAmong'>;
}

/** Members as other members see them. Stores nothing. */
export const memberModule = (deps: MemberDeps): Module<undefined> => ({
  name: 'members',
  sections: { Members: 'Who other members are.' },
  service: undefined,
  operations: memberOperations(memberRules(deps)),
});
