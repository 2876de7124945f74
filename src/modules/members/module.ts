import type { Module } from '../module.ts';
import { memberOperations } from './members.operations.ts';
import { type MemberDeps, memberRules } from './members.ts';

/** Members as other members see them. Stores nothing. */
export function memberModule(deps: MemberDeps): Module<undefined> {
  const members = memberRules(deps);
  return {
    name: 'members',
    sections: { Members: 'Who other members are.' },
    service: undefined,
    operations: memberOperations(members),
    searchExclusions: [{ type: 'user', idsFor: members.hiddenFrom }],
  };
}
