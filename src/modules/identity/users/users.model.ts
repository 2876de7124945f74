import type { ObjectId } from '../../../kernel/ids.ts';
import { type Contact, type Member, memberOf, userDeleted } from '../contract.ts';

/** The rules by which accounts are erased: {@link userDeleted} has them as its version. */
export const ERASURE_RULES = userDeleted.version;

/** So many permissions a user may hold, and a request name. */
export const MOST_PERMISSIONS = 100;
/** How many permissions the distribution has at most. */
export const MOST_DISTRIBUTED = 1_000;

export interface User {
  id: ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs. */
  emailVerified: boolean;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  educator: Record<string, unknown>;
  isActive: boolean;
  timeZone: string | null;
  locale: string | null;
  /** The times at which the user changed their own username recently, oldest first. */
  usernameChanges: Date[];
  /** Incremented to prevent credentials verified earlier from opening a session. */
  credentialVersion: number;
  /** Incremented with each new password. */
  passwordVersion: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface UserFilter {
  /** Part of a name, e-mail or username, case-insensitive; or a complete id. */
  search?: string;
  /** Users who have at least one of these permissions. */
  permissions?: string[];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Returns an educator profile with changes. An empty value of a field that the profile does not have is left out: both read
 * the same.
 */
export const profileWith = (profile: User['educator'], changes: object = {}): User['educator'] => ({
  ...profile,
  ...Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => name in profile || !isEmpty(value)),
  ),
});

/** Returns a text of an educator profile; null if it is missing or empty. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Returns a user as other members see them. */
export const memberOfUser = ({ id, educator, permissions, ...user }: User): Member =>
  memberOf({
    ...user,
    userId: id,
    avatar: textOf(educator.profileImage),
    isEducator: permissions.includes('educator'),
  });

/** Returns the contact data of a user. */
export const contactOf = (user: User | undefined): Contact | undefined =>
  user && {
    userId: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    isActive: user.isActive,
  };
