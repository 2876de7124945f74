import type { Act } from '../parts/act.tsx';
import { nameOf } from '../text.ts';
import { createWalletAct, debitAct, lockAct } from './money-acts.tsx';
import { muteAct, unmuteAct } from './mute-acts.tsx';
import { changeAct, eraseAct, purchaseAct } from './person-acts.tsx';
import { activeAct, endSessionsAct, permissionsAct, removeFactorsAct, resetAct } from './sign-in-acts.tsx';
import type { TargetMember } from './target-member.ts';

/** The actions that can be taken on a member, in the order of the menu. */
export function actsOf(target: TargetMember, skus: string[]): Act[] {
  const { wallet, mute, member } = target;
  const one = { id: member.id, name: nameOf(member) };
  return [
    ...(wallet ? [debitAct(target), lockAct(target)] : [createWalletAct(target)]),
    muteAct(one),
    ...(mute ? [unmuteAct(one)] : []),
    resetAct(target),
    endSessionsAct(target),
    removeFactorsAct(target),
    purchaseAct(target, skus),
    changeAct(target),
    permissionsAct(target),
    activeAct(target),
    eraseAct(target),
  ];
}
