import type { Static } from 'typebox';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { CsvColumns } from '../../../kernel/operations/csv-lists.ts';
import { type Clock, DAY_MS, endOf, instantOf } from '../../../kernel/time/time.ts';
import type { Contributions } from '../../module.ts';
import type { Member } from '../contract.ts';
import { currentPurchases, platformAccess } from '../platforms/sku-access.ts';
import type { ListedUser, ListingFilter, UserListingStore } from '../users/user-listing.store.ts';
import { memberOfUser } from '../users/users.model.ts';
import type { ListUsersAsAdminQuery } from './accounts.schemas.ts';

type Query = Omit<Static<typeof ListUsersAsAdminQuery>, 'page' | 'limit' | 'before' | 'format'>;

type Listed = ListedUser & Member & { balance: number | null };

interface ListingDeps {
  store: UserListingStore;
  clock: Clock;
  balancesOf: NonNullable<Contributions['balancesOf']>;
}

/** Users as administrators list them. */
export function listingRules({ store, clock, balancesOf }: ListingDeps) {
  /** Returns the purchases that open a platform; undefined if it needs none. */
  function opening(platform: Query['platform']): ListingFilter['openedBy'] {
    const { skus = [] } = platformAccess().find((one) => one.platform === platform) ?? {};
    if (skus.length === 0) return undefined;
    return {
      skus: skus.map(({ sku }) => sku),
      since: skus.map(({ days }) => new Date(clock.now() - days * DAY_MS)),
      until: clock.date(),
    };
  }

  /** @throws 422 if the period ends before it begins */
  function filterOf({ permissions, platform, createdFrom, createdTo, seenBefore, ...rest }: Query) {
    const period = {
      createdFrom: createdFrom === undefined ? undefined : instantOf(createdFrom),
      createdTo: createdTo === undefined ? undefined : endOf(createdTo),
    };
    if (period.createdFrom && period.createdTo && period.createdFrom > period.createdTo)
      throw validationFailed([{ field: 'createdFrom', message: 'must not be after createdTo' }]);
    return {
      ...rest,
      ...period,
      permissions: permissions?.split(','),
      openedBy: opening(platform),
      current: currentPurchases(clock.now()),
      seenBefore: seenBefore === undefined ? undefined : instantOf(seenBefore),
    };
  }

  async function withBalances(users: ListedUser[]): Promise<(user: ListedUser) => Listed> {
    const balances = await balancesOf(users.map(({ id }) => id));
    return (user) => ({
      ...user,
      ...user.educator,
      ...memberOfUser(user),
      balance: balances.get(user.id) ?? null,
    });
  }

  return {
    async pageOf(query: Query, request: PageRequest): Promise<Page<Listed>> {
      const page = await store.pageOf(filterOf(query), request);
      return mapPage(page, await withBalances(page.items));
    },
    async readAfter(query: Query, after: Listed | undefined, limit: number): Promise<Listed[]> {
      const users = await store.readAfter(filterOf(query), after?.id, limit);
      return users.map(await withBalances(users));
    },
  };
}

export type ListingRules = ReturnType<typeof listingRules>;

export const USER_COLUMNS: CsvColumns<Listed> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  username: ({ username }) => username,
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  customerId: ({ customerId }) => customerId,
  permissions: ({ permissions }) => permissions.join(' '),
  isActive: ({ isActive }) => String(isActive),
  balance: ({ balance }) => balance,
  skus: ({ skus }) => skus.join(' '),
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt,
  createdAt: ({ createdAt }) => createdAt,
};
