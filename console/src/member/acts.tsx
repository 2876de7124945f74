import type { Act } from '../parts/act.tsx';
import { nameOf } from '../text.ts';
import { createWalletAct, debitAct, lockAct } from './money-acts.tsx';
import { muteAct, unmuteAct } from './mute-acts.tsx';
import { changeAct, eraseAct, purchaseAct } from './person-acts.tsx';
import { activeAct, endSessionsAct, permissionsAct, removeFactorsAct, resetAct } from './sign-in-acts.tsx';
import type { Whom } from './whom.ts';

/** What can be done with a member, in the order of the menu. */
export function actsOf(whom: Whom, skus: string[]): Act[] {
  const { wallet, mute, member } = whom;
  const one = { id: member.id, name: nameOf(member) };
  return [
    ...(wallet ? [debitAct(whom), lockAct(whom)] : [createWalletAct(whom)]),
    muteAct(one),
    ...(mute ? [unmuteAct(one)] : []),
    resetAct(whom),
    endSessionsAct(whom),
    removeFactorsAct(whom),
    purchaseAct(whom, skus),
    changeAct(whom),
    permissionsAct(whom),
    activeAct(whom),
    eraseAct(whom),
  ];
}
