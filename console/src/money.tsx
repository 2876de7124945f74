import { type Action, reasonOf, textOf } from './parts/action.tsx';
import { Time } from './parts/values.tsx';
import { count, nameOf } from './text.ts';

interface Pending {
  transactionId: string;
  amount: number;
  createdAt: string;
  owner: { name?: string; email: string } | null;
}

/** Settles by hand a withdrawal for which the provider has reported no final state. */
export const settleAction = ({ transactionId, amount, owner, createdAt }: Pending): Action => {
  const keys = count(amount);
  return {
    name: 'Settle',
    title: `Settle the withdrawal of ${keys} Keys`,
    confirmLabel: `Settle ${keys} Keys`,
    isDangerous: true,
    facts: [
      ['Member', nameOf(owner)],
      ['Asked', <Time key="asked" at={createdAt} />],
    ],
    reason: 'returned',
    fields: (
      <fieldset>
        <legend>What became of the payout</legend>
        <label class="check">
          <input type="radio" name="outcome" value="completed" required /> It was paid: the held Keys are gone
        </label>
        <label class="check">
          <input type="radio" name="outcome" value="failed" /> It failed: the Keys go back to the wallet
        </label>
      </fieldset>
    ),
    note: 'This cannot be undone. A payout that the provider has is cancelled there first; if it pays all the same, you find an alert about it under Money.',
    openings: ['payout confirmed by the provider, ', 'refused by the provider, '],
    run: async (form, api) => {
      const { status } = await api.wallet.settleWithdrawal(transactionId, {
        outcome: textOf(form, 'outcome') as 'completed' | 'failed',
        reason: reasonOf(form),
      });
      return `The withdrawal of ${keys} Keys is ${status}.`;
    },
  };
};
