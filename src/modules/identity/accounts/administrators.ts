import { emailTaken } from '../../../external/directory/port.ts';
import type { Identity } from '../contract.ts';
import type { VerificationRules } from '../email-verification/email-verification.ts';
import type { UserStore } from '../users/users.store.ts';
import { canonicalEmail } from '../users/users.ts';
import type { Accounts } from './accounts.ts';

const SETUP = { actor: 'service:setup' };

interface AdministratorDeps {
  accounts: Pick<Accounts, 'create'>;
  store: Pick<UserStore, 'findByEmail'>;
  vouchFor: VerificationRules['vouchFor'];
}

/** Returns a function that creates an administrator unless an account with the e-mail exists. An administrator whom the
 * operator names counts as verified. */
export function ensuringAdministrators({
  accounts,
  store,
  vouchFor,
}: AdministratorDeps): Identity['ensureAdministrator'] {
  return async (account) => {
    const email = canonicalEmail(account.email);
    const administrator = { ...account, permissions: ['admin'], emailVerified: true };
    const found = await store.findByEmail(email);
    if (found) {
      // After an upgrade every address is unverified, and no other administrator could let the operator in.
      if (!found.emailVerified && found.permissions.includes('admin')) await vouchFor(found.id);
      return { userId: found.id, isNew: false };
    }
    try {
      const created = await accounts.create(administrator, SETUP);
      return { userId: created.id, isNew: true };
    } catch (error) {
      // Another process that started at the same time created the account first.
      const other = await store.findByEmail(email);
      if (other) return { userId: other.id, isNew: false };
      if (!emailTaken.is(error)) throw error;
      // The external directory already has this e-mail; the administrator keeps their password there.
      const created = await accounts.create({ ...administrator, password: undefined }, SETUP);
      return { userId: created.id, isNew: true };
    }
  };
}
