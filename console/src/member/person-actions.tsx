import { NOTHING_CHANGED } from '../changes.ts';
import { type Action, Field, reasonOf, textOf } from '../parts/action.tsx';
import { go, to } from '../router.ts';
import { count, nameOf } from '../text.ts';
import { ErasurePlan } from './erasure.tsx';
import type { TargetMember } from './target-member.ts';

export const changeAction = ({ member }: TargetMember): Action => ({
  name: 'Change person',
  title: `Change the data of ${nameOf(member)}`,
  confirmLabel: 'Save',
  fields: (
    <>
      <Field label="First name">
        <input name="firstName" defaultValue={member.firstName} maxLength={100} />
      </Field>
      <Field label="Last name">
        <input name="lastName" defaultValue={member.lastName} maxLength={100} />
      </Field>
      <Field label="E-mail" hint="What they sign in with.">
        <input name="email" type="email" defaultValue={member.email} maxLength={254} />
      </Field>
      <Field label="Username">
        <input name="username" defaultValue={member.username} maxLength={50} />
      </Field>
      <Field label="Customer id" hint="Of the shop; empty if there is none.">
        <input name="customerId" defaultValue={member.customerId ?? ''} maxLength={100} />
      </Field>
    </>
  ),
  run: async (form, api) => {
    const now: Record<string, string | null> = {
      firstName: member.firstName,
      lastName: member.lastName,
      email: member.email,
      username: member.username,
      customerId: member.customerId,
    };
    const changed = Object.entries(now).flatMap(([name, before]) => {
      const after = textOf(form, name) || (name === 'customerId' ? null : '');
      return after === before ? [] : [[name, after]];
    });
    if (changed.length === 0) return NOTHING_CHANGED;
    await api.users.update(member.id, {
      ...Object.fromEntries(changed),
      expectedUpdatedAt: member.updatedAt,
      reason: reasonOf(form),
    });
    return `Changed ${changed.map(([name]) => name).join(', ')}.`;
  },
});

/** Deletes the account; its dialog shows beforehand what the platform will erase and keep. */
export const eraseAction = ({ member, wallet }: TargetMember): Action => {
  const name = nameOf(member);
  const hasKeys = (wallet?.balance ?? 0) > 0;
  return {
    name: 'Erase',
    title: `Erase ${name}`,
    confirmLabel: 'Erase member',
    isDangerous: true,
    typed: member.email,
    facts: [['Balance', `${count(wallet?.balance ?? 0)} Keys`]],
    fields: (
      <>
        <ErasurePlan id={member.id} />
        {hasKeys && (
          <fieldset>
            <legend>The remaining Keys</legend>
            <label class="check">
              <input type="radio" name="remainingKeys" value="withdraw" required /> are paid out
            </label>
            <label class="check">
              <input type="radio" name="remainingKeys" value="forfeit" /> are taken out of circulation
            </label>
          </fieldset>
        )}
      </>
    ),
    note: 'Personal data is erased and the history stays without a name. This cannot be undone.',
    openings: ['on the wish of the member, asked by '],
    run: async (form, api) => {
      const remainingKeys = textOf(form, 'remainingKeys') as 'withdraw' | 'forfeit' | '';
      await api.users.delete(member.id, {
        ...(remainingKeys ? { remainingKeys } : {}),
        reason: reasonOf(form),
      });
      go(to('/members'));
      return `Erased ${name}.`;
    },
  };
};
