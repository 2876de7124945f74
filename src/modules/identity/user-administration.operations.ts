import type { Core } from '../../kernel/core.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import type { Module } from '../module.ts';
import { deleteUserOperation } from './account-deletion/account-deletion.operations.ts';
import { deletionByAdministrators } from './account-deletion/deletion-by-administrators.ts';
import { accountOperations } from './accounts/accounts.operations.ts';
import type { Accounts } from './accounts/accounts.ts';
import { listingRules } from './accounts/listing.ts';
import { formerOperations } from './former-path.operations.ts';
import type { PasswordPolicy } from './passwords/password-policy.ts';
import type { ElevationRules } from './sessions/elevation.ts';
import { userListingStore } from './users/user-listing.store.ts';

interface Deps extends Pick<Core, 'database' | 'clock'> {
  accounts: Accounts;
  elevation: ElevationRules;
  policy: Pick<PasswordPolicy, 'faultsIn'>;
}

/**
 * Returns the operations on accounts that need contributions of other modules: balances, and the records that a
 * deletion erases.
 */
export function userAdministration(
  { database, clock, accounts, elevation, policy }: Deps,
  modules: readonly Module[],
): Operation[] {
  const balancesOf = modules.flatMap((module) => module.balancesOf ?? [])[0] ?? (async () => new Map());
  const kinds = modules.flatMap((module) => module.memberRecords ?? []);
  const listing = listingRules({ store: userListingStore(database), clock, balancesOf });
  const deletion = deletionByAdministrators({ accounts, stepUp: elevation, kinds, balancesOf });
  const operations = [
    ...accountOperations(accounts, listing, policy),
    deleteUserOperation(deletion, accounts),
  ];
  return [...operations, ...formerOperations(operations)];
}
