import type { UserOverview } from '@platform-api/sdk';
import { api } from '../api.ts';
import { type Act, Field, reasonOf, textOf } from '../parts/act.tsx';
import { count, localTime, nameOf, platformName, plural } from '../text.ts';
import { ErasurePlan } from './erasure.tsx';

interface Whom {
  member: UserOverview['user'];
  wallet: UserOverview['wallet'];
}

const keysOf = (form: FormData): number => Number(form.get('amount'));

const Amount = () => (
  <Field label="Keys">
    <input name="amount" type="number" min={1} max={1_000_000_000} step={1} required autoFocus />
  </Field>
);

export const fundAct = ({ member, wallet }: Whom): Act => {
  const name = nameOf(member);
  return {
    name: 'Fund',
    title: `Fund the wallet of ${name}`,
    facts: [['Balance', `${count(wallet?.balance ?? 0)} Keys`]],
    fields: <Amount />,
    note: 'The Keys are made for this member. It can be taken back by Debit.',
    openings: ['goodwill, outage of ', 'correction of ', 'prize of '],
    run: async (form, key) => {
      const amount = keysOf(form);
      const { wallet: after } = await api.wallet.fund(
        { userId: member.id, amount, reason: reasonOf(form) },
        { idempotencyKey: key },
      );
      return `Funded ${count(amount)} Keys. The balance of ${name} is ${count(after.balance)}.`;
    },
  };
};

const debitAct = ({ member, wallet }: Whom): Act => {
  const name = nameOf(member);
  return {
    name: 'Debit',
    title: `Take Keys from ${name}`,
    act: 'Take Keys',
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
    run: async (form, key) => {
      const { wallet: after, short } = await api.wallet.debit(
        {
          userId: member.id,
          amount: keysOf(form),
          allowPartial: form.has('allowPartial'),
          reason: reasonOf(form),
        },
        { idempotencyKey: key },
      );
      const taken = keysOf(form) - short;
      return `Took ${count(taken)} Keys. The balance of ${name} is ${count(after.balance)}.${short ? ` ${count(short)} were missing.` : ''}`;
    },
  };
};

const lockAct = ({ member, wallet }: Whom): Act => {
  const name = nameOf(member);
  const locked = !wallet?.locked;
  return {
    name: locked ? 'Lock wallet' : 'Unlock wallet',
    title: `${locked ? 'Lock' : 'Unlock'} the wallet of ${name}`,
    facts: [['Wallet', locked ? 'not locked → locked' : 'locked → not locked']],
    note: locked ? 'No Keys leave or reach a locked wallet. It can be unlocked.' : 'Keys can be moved again.',
    openings: ['suspected fraud, ', 'on the wish of the member, '],
    run: async (form) => {
      const reason = reasonOf(form);
      await api.wallet.change(
        member.id,
        locked ? { locked, lockedReason: reason, reason } : { locked, reason },
      );
      return `The wallet of ${name} is ${locked ? 'locked' : 'not locked any longer'}.`;
    },
  };
};

const createWalletAct = ({ member }: Whom): Act => ({
  name: 'Create wallet',
  title: `Create a wallet for ${nameOf(member)}`,
  run: async (form) => {
    await api.wallet.create({ userId: member.id, reason: reasonOf(form) });
    return `${nameOf(member)} has a wallet.`;
  },
});

const resetAct = ({ member }: Whom): Act => ({
  name: 'Send password reset',
  title: `Send ${nameOf(member)} a code for a new password`,
  act: 'Send the code',
  facts: [['To', member.email]],
  note: 'The present password stays valid until a new one is set.',
  openings: ['asked support by phone, ', 'asked support by mail, '],
  run: async (form) => {
    await api.users.sendPasswordReset(member.id, { reason: reasonOf(form) });
    return `A code for a new password is on its way to ${member.email}.`;
  },
});

const endSessionsAct = ({ member }: Whom): Act => ({
  name: 'End all sessions',
  title: `Sign ${nameOf(member)} out everywhere`,
  note: 'They can sign in again at once.',
  openings: ['lost device, ', 'suspected theft of the password, '],
  run: async (form) => {
    const { sessionsEnded } = await api.users.endSessions(member.id, { reason: reasonOf(form) });
    return `${nameOf(member)} was signed out: ${plural(sessionsEnded, 'session')} ended.`;
  },
});

const PERMISSIONS = ['admin', 'moderator', 'educator', 'read_users', 'read_wallets'];

const permissionsAct = ({ member }: Whom): Act => {
  const all = [...new Set([...PERMISSIONS, ...member.permissions])];
  return {
    name: 'Change permissions',
    title: `Change the permissions of ${nameOf(member)}`,
    facts: [['Now', member.permissions.join(', ') || 'none']],
    fields: (
      <fieldset>
        <legend>Permissions</legend>
        {all.map((one) => (
          <label key={one} class="check">
            <input
              type="checkbox"
              name="permission"
              value={one}
              defaultChecked={member.permissions.includes(one)}
            />{' '}
            {one}
          </label>
        ))}
      </fieldset>
    ),
    note: 'They hold from the next request on.',
    run: async (form) => {
      const { permissions } = await api.permissions.replace(member.id, {
        permissions: form.getAll('permission').map(String),
        reason: reasonOf(form),
      });
      return `The permissions of ${nameOf(member)} are: ${permissions.join(', ') || 'none'}.`;
    },
  };
};

const changeAct = ({ member }: Whom): Act => ({
  name: 'Change person',
  title: `Change the data of ${nameOf(member)}`,
  act: 'Save',
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
  run: async (form) => {
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
    if (changed.length === 0) return 'Nothing was changed.';
    await api.users.update(member.id, { ...Object.fromEntries(changed), reason: reasonOf(form) });
    return `Changed ${changed.map(([name]) => name).join(', ')}.`;
  },
});

const purchaseAct = ({ member }: Whom, skus: string[]): Act => ({
  name: 'Record a purchase',
  title: `Record a purchase of ${nameOf(member)}`,
  act: 'Record',
  fields: (
    <>
      <Field label="SKU">
        <input name="sku" list="skus" maxLength={100} required autoComplete="off" />
        <datalist id="skus">
          {skus.map((sku) => (
            <option key={sku} value={sku} />
          ))}
        </datalist>
      </Field>
      <Field label="Product">
        <input name="productName" maxLength={200} required />
      </Field>
      <Field label="Bought on">
        <input name="date" type="date" required defaultValue={new Date().toISOString().slice(0, 10)} />
      </Field>
    </>
  ),
  note: 'It opens what its SKU opens, for as long as that lasts. No money moves.',
  run: async (form) => {
    const { productName, warning } = await api.users.recordPurchase(member.id, {
      sku: textOf(form, 'sku'),
      productName: textOf(form, 'productName'),
      lastPurchasedDate: textOf(form, 'date'),
      reason: reasonOf(form),
    });
    return `Recorded ${productName}.${warning ? ` ${warning}` : ''}`;
  },
});

const activeAct = ({ member }: Whom): Act => {
  const name = nameOf(member);
  const isActive = !member.isActive;
  return {
    name: isActive ? 'Activate' : 'Deactivate',
    title: `${isActive ? 'Activate' : 'Deactivate'} ${name}`,
    isDangerous: !isActive,
    note: isActive
      ? 'They can sign in again wherever their purchases allow it.'
      : 'All their sessions end at once, and they cannot sign in. Nothing is deleted, and it can be undone.',
    run: async (form) => {
      await api.users.update(member.id, { isActive, reason: reasonOf(form) });
      return `${name} is ${isActive ? 'active' : 'deactivated'}.`;
    },
  };
};

const SPANS: [minutes: number, text: string][] = [
  [60, 'an hour'],
  [24 * 60, 'a day'],
  [7 * 24 * 60, 'a week'],
  [30 * 24 * 60, '30 days'],
];

/** Keeps a member from writing anywhere for a time. */
export const muteAct = ({ id, name }: { id: string; name: string }): Act => ({
  name: 'Mute everywhere',
  title: `Mute ${name} everywhere`,
  act: 'Mute',
  fields: (
    <>
      <Field label="For">
        <select name="minutes">
          {SPANS.map(([minutes, text]) => (
            <option key={minutes} value={minutes} selected={minutes === 24 * 60}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      <label class="check">
        <input type="checkbox" name="deleteMessages" /> Delete their messages of the last seven days
      </label>
    </>
  ),
  note: 'They read on, and write nowhere. It can be ended.',
  openings: ['spam in several rooms', 'insults other members'],
  run: async (form) => {
    const { mutedUntil } = await api.moderation.muteUser(id, {
      minutes: Number(textOf(form, 'minutes')),
      deleteMessages: form.has('deleteMessages'),
      reason: reasonOf(form),
    });
    return `${name} is muted everywhere${mutedUntil ? ` until ${localTime(mutedUntil)}` : ''}.`;
  },
});

const unmuteAct = ({ member }: Whom): Act => ({
  name: 'End mute',
  title: `End the mute of ${nameOf(member)}`,
  act: 'End mute',
  run: async (form) => {
    await api.moderation.unmuteUser(member.id, { reason: reasonOf(form) });
    return `${nameOf(member)} can write again.`;
  },
});

/** Deletes the account; before it, the platform says what goes and what stays. */
const eraseAct = ({ member, wallet }: Whom): Act => {
  const name = nameOf(member);
  const hasKeys = (wallet?.balance ?? 0) > 0;
  return {
    name: 'Erase',
    title: `Erase ${name}`,
    act: 'Erase member',
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
    run: async (form) => {
      const remainingKeys = textOf(form, 'remainingKeys') as 'withdraw' | 'forfeit' | '';
      await api.users.delete(member.id, {
        ...(remainingKeys ? { remainingKeys } : {}),
        reason: reasonOf(form),
      });
      return `Erased ${name}.`;
    },
  };
};

/** What can be done with a member, in the order of the menu. */
export function actsOf(whom: Whom, skus: string[]): Act[] {
  const { wallet } = whom;
  return [
    ...(wallet ? [debitAct(whom), lockAct(whom)] : [createWalletAct(whom)]),
    muteAct({ id: whom.member.id, name: nameOf(whom.member) }),
    unmuteAct(whom),
    resetAct(whom),
    endSessionsAct(whom),
    purchaseAct(whom, skus),
    changeAct(whom),
    permissionsAct(whom),
    activeAct(whom),
    eraseAct(whom),
  ];
}

/** Why a member can open a platform or not, in words. */
export function accessInWords(
  {
    allowed,
    reason,
    sku,
    acceptedSkus,
  }: { allowed: boolean; reason: string; sku: string | null; acceptedSkus: string[] },
  ended: string,
): string {
  const others = acceptedSkus.length;
  if (allowed) return sku ? `By ${sku}.` : 'Open to every active member.';
  if (reason === 'expired')
    return `${sku} ended ${ended}. ${others > 1 ? `Any of ${others} purchases would open it.` : ''}`;
  if (reason === 'no_sku')
    return others > 0 ? 'Never bought a purchase that opens it.' : 'Lacks the permission.';
  const REASONS: Record<string, string> = {
    inactive: 'The account is deactivated.',
    throttled: 'Too many wrong passwords in the last minutes.',
    unverified: 'The e-mail address is not verified.',
  };
  return REASONS[reason] ?? reason;
}

/** "Can't sign in to the Mobile App", of what they have had before. */
export const lostPlatforms = (access: { platform: string; allowed: boolean; reason: string }[]): string =>
  access
    .filter(({ allowed, reason }) => !allowed && reason !== 'no_sku')
    .map(({ platform }) => platformName(platform))
    .join(', ');
