import type { Action } from '../parts/action.tsx';
import { nameOf } from '../text.ts';
import { createWalletAction, debitAction, lockAction } from './money-actions.tsx';
import { mayBeMuted, muteAction, unmuteAction } from './mute-actions.tsx';
import { changeAction, eraseAction } from './person-actions.tsx';
import { purchaseAction } from './purchase-action.tsx';
import {
  activeAction,
  endSessionsAction,
  permissionsAction,
  removeFactorsAction,
  resetAction,
} from './sign-in-actions.tsx';
import type { TargetMember } from './target-member.ts';

/** The actions that can be taken on a member, in the order of the menu. */
export function actionsOf(target: TargetMember, skus: string[]): Action[] {
  const { wallet, mute, member } = target;
  const one = { id: member.id, name: nameOf(member) };
  return [
    ...(wallet ? [debitAction(target), lockAction(target)] : [createWalletAction(target)]),
    ...(mayBeMuted(member.id, member.permissions) ? [muteAction(one)] : []),
    ...(mute ? [unmuteAction(one)] : []),
    resetAction(target),
    endSessionsAction(target),
    removeFactorsAction(target),
    purchaseAction(target, skus),
    changeAction(target),
    permissionsAction(target),
    activeAction(target),
    eraseAction(target),
  ];
}
