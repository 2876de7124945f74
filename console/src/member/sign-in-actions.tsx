import { type Action, reasonOf } from '../parts/action.tsx';
import { nameOf, plural } from '../text.ts';
import type { TargetMember } from './target-member.ts';

export const resetAction = ({ member }: TargetMember): Action => ({
  name: 'Send password reset',
  title: `Send ${nameOf(member)} a code for a new password`,
  confirmLabel: 'Send the code',
  facts: [['To', member.email]],
  note: 'The present password stays valid until a new one is set.',
  openings: ['asked support by phone, ', 'asked support by mail, '],
  run: async (form, api) => {
    await api.users.sendPasswordReset(member.id, { reason: reasonOf(form) });
    return `A code for a new password is on its way to ${member.email}.`;
  },
});

export const endSessionsAction = ({ member }: TargetMember): Action => ({
  name: 'End all sessions',
  title: `Sign ${nameOf(member)} out everywhere`,
  note: 'They can sign in again at once.',
  openings: ['lost device, ', 'suspected theft of the password, '],
  run: async (form, api) => {
    const { sessionsEnded } = await api.users.endSessions(member.id, { reason: reasonOf(form) });
    return `${nameOf(member)} was signed out: ${plural(sessionsEnded, 'session')} ended.`;
  },
});

export const removeFactorsAction = ({ member }: TargetMember): Action => ({
  name: 'Remove second factors',
  title: `Take the second factors of ${nameOf(member)} away`,
  isDangerous: true,
  note: 'Their authenticator app and all passkeys stop working, and a password alone signs in. They are told by mail.',
  openings: ['lost phone, known by ', 'new phone, known by '],
  run: async (form, api) => {
    const { factorsRemoved } = await api.users.removeFactors(member.id, { reason: reasonOf(form) });
    return `${plural(factorsRemoved, 'second factor')} of ${nameOf(member)} removed.`;
  },
});

/** The permissions that operations of the platform ask for. */
const PERMISSIONS = ['admin', 'moderator', 'educator', 'read_users', 'write_users'];

export const permissionsAction = ({ member }: TargetMember): Action => {
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
    run: async (form, api) => {
      const { permissions } = await api.permissions.replace(member.id, {
        permissions: form.getAll('permission').map(String),
        expected: member.permissions,
        reason: reasonOf(form),
      });
      return `The permissions of ${nameOf(member)} are: ${permissions.join(', ') || 'none'}.`;
    },
  };
};

export const activeAction = ({ member }: TargetMember): Action => {
  const name = nameOf(member);
  const isActive = !member.isActive;
  return {
    name: isActive ? 'Activate' : 'Deactivate',
    title: `${isActive ? 'Activate' : 'Deactivate'} ${name}`,
    isDangerous: !isActive,
    note: isActive
      ? 'They can sign in again wherever their purchases allow it.'
      : 'All their sessions end at once, and they cannot sign in. Nothing is deleted, and it can be undone.',
    run: async (form, api) => {
      await api.users.update(member.id, { isActive, reason: reasonOf(form) });
      return `${name} is ${isActive ? 'active' : 'deactivated'}.`;
    },
  };
};
