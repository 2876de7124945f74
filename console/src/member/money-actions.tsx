import { type Action, Field, reasonOf } from '../parts/action.tsx';
import { count, nameOf } from '../text.ts';
import type { TargetMember } from './target-member.ts';

const keysOf = (form: FormData): number => Number(form.get('amount'));

const Amount = () => (
  <Field label="Keys">
    <input name="amount" type="number" min={1} max={1_000_000_000} step={1} required autoFocus />
  </Field>
);

export const fundAction = ({ member, wallet }: TargetMember): Action => {
  const name = nameOf(member);
  return {
    name: 'Fund',
    title: `Fund the wallet of ${name}`,
    facts: [['Balance', `${count(wallet?.balance ?? 0)} Keys`]],
    fields: <Amount />,
    note: 'The Keys are made for this member. They can be taken back by Debit.',
    openings: ['goodwill, outage of ', 'correction of ', 'prize of '],
    run: async (form, api) => {
      const amount = keysOf(form);
      const { wallet: after } = await api.wallet.fund({ userId: member.id, amount, reason: reasonOf(form) });
      return `Funded ${count(amount)} Keys. The balance of ${name} is ${count(after.balance)}.`;
    },
  };
};

export const debitAction = ({ member, wallet }: TargetMember): Action => {
  const name = nameOf(member);
  return {
    name: 'Debit',
    title: `Take Keys from ${name}`,
    confirmLabel: 'Take Keys',
    isDangerous: true,
    facts: [['Balance', `${count(wallet?.balance ?? 0)} Keys`]],
    fields: (
      <>
        <Amount />
        <label class="check">
          <input type="checkbox" name="allowPartial" /> Take what there is if the wallet has fewer
        </label>
      </>
    ),
    note: 'The Keys leave the wallet at once.',
    openings: ['charge back of ', 'funded by mistake on '],
    run: async (form, api) => {
      const { wallet: after, short } = await api.wallet.debit({
        userId: member.id,
        amount: keysOf(form),
        allowPartial: form.has('allowPartial'),
        reason: reasonOf(form),
      });
      const taken = keysOf(form) - short;
      return `Took ${count(taken)} Keys. The balance of ${name} is ${count(after.balance)}.${short ? ` ${count(short)} were missing.` : ''}`;
    },
  };
};

export const lockAction = ({ member, wallet }: TargetMember): Action => {
  const name = nameOf(member);
  const locked = !wallet?.locked;
  return {
    name: locked ? 'Lock wallet' : 'Unlock wallet',
    title: `${locked ? 'Lock' : 'Unlock'} the wallet of ${name}`,
    reason: locked ? 'wallet' : 'audit',
    facts: [['Wallet', locked ? 'not locked → locked' : 'locked → not locked']],
    note: locked
      ? 'No Keys leave or reach a locked wallet, except what operators take back or reverse, what was bought in a checkout begun before, and what returns from a withdrawal. It can be unlocked.'
      : 'Keys can be moved again.',
    openings: ['suspected fraud, ', 'on the wish of the member, '],
    run: async (form, api) => {
      const reason = reasonOf(form);
      await api.wallet.change(
        member.id,
        locked ? { locked, lockedReason: reason, reason } : { locked, reason },
      );
      return `The wallet of ${name} is ${locked ? 'locked' : 'not locked any longer'}.`;
    },
  };
};

export const createWalletAction = ({ member }: TargetMember): Action => ({
  name: 'Create wallet',
  title: `Create a wallet for ${nameOf(member)}`,
  run: async (form, api) => {
    await api.wallet.create({ userId: member.id, reason: reasonOf(form) });
    return `${nameOf(member)} has a wallet.`;
  },
});
