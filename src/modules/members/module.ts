import type { Identity } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { memberOperations } from './members.operations.ts';
import { type MemberDeps, memberRules } from './members.ts';
import { reportableProfile } from './reportable-profile.ts';

interface Deps extends MemberDeps {
  identity: MemberDeps['identity'] & Pick<Identity, 'cardsOf' | 'emptyProfileIn'>;
}

/** Members as other members see them. Stores nothing. */
export function memberModule(deps: Deps): Module<undefined> {
  const members = memberRules(deps);
  return {
    name: 'members',
    sections: { Members: 'Who other members are.' },
    service: undefined,
    operations: memberOperations(members),
    reportables: [reportableProfile(deps.identity)],
    searchExclusions: [{ type: 'user', idsFor: members.hiddenFrom }],
  };
}
