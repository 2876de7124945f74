import type { CustomerDirectory } from '../../../external/directory/port.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure, insufficientPermissions, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type AsRead, mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { type Actor, type Changes, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { type Answering, answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import type { Media } from '../../media/contract.ts';
import {
  type MemberCard,
  type NewAccount,
  type ProfileChanges,
  type RemainingKeys,
  userChanged,
  userNotFound,
  userUpdated,
} from '../contract.ts';
import type { VerificationRules } from '../email-verification/email-verification.ts';
import type { SessionTarget } from '../sessions/sessions.model.ts';
import { type SessionRules, sessionNotFound } from '../sessions/sessions.ts';
import { MOST_PERMISSIONS, profileWith, type User } from '../users/users.model.ts';
import { cardOf, type UserStore } from '../users/users.store.ts';
import { canonicalEmail, storedNames, translateDuplicate, type UserRules } from '../users/users.ts';
import type { ErasingRules } from './erasing.ts';
import { ADMIN, lockWithActor, mustBeAdministrator, mustStayAdministrator } from './locking.ts';

export const lastAdministrator = failure(
  409,
  'LAST_ADMINISTRATOR',
  'The last active administrator cannot be demoted, deactivated or deleted',
);

export type AccountChange = Partial<
  Pick<User, 'email' | 'username' | 'firstName' | 'lastName' | 'customerId' | 'educator' | 'isActive'>
>;

interface AccountDeps extends Pick<Core, 'database' | 'audit' | 'events' | 'clock'> {
  users: UserRules;
  store: UserStore;
  sessions: SessionRules;
  directory: CustomerDirectory;
  media: Pick<Media, 'checkPublicUrls'>;
  erasing: Pick<ErasingRules, 'begin'>;
  /** @throws 422 for a password that is common, made of the names of its owner, or known from a breach */
  policy: { mustBeFit(password: string, owner: Omit<NewAccount, 'password'>): Promise<void> };
  verification: Pick<VerificationRules, 'issue'>;
  /** Notifies every process that a member's sessions or permissions have changed; call only after the commit. */
  publishChange: (userId: ObjectId) => Promise<void>;
}

/** Changes what another module knows of a user, in the transaction that locks the user; returns what that changes. */
type AlsoChange = (tx: Transaction) => Promise<Changes>;

interface Change {
  /** The action in the audit log. */
  action: string;
  /**
   * Returns the fields of the locked user to change; nothing is written if none of them differs. `by` is the member who
   * changes them, unless that is a service.
   */
  changed: (user: User, by?: User) => Partial<User>;
  /** A permission with which users are changed by others, besides `admin`. */
  permission?: string;
  alsoChange?: AlsoChange;
  /** The state of the user that is to be changed, if the caller names one. */
  asRead?: AsRead;
  /** Runs in the same transaction. */
  also?: (tx: Transaction, before: User, after: User) => Promise<void>;
}

interface Removal {
  /** What happens to the member's Keys; if absent, the deletion is refused while the member has any. */
  remainingKeys?: RemainingKeys | undefined;
  /** Runs once the user is locked. */
  check: (tx: Transaction, user: User) => Promise<void>;
  /** Deletes nothing: the transaction is rolled back. */
  isTrial?: boolean;
}

/** Thrown in a dry run to roll the deletion back. */
class TrialEnded extends Error {}

/** Administration of accounts by administrators and by services with the internal key. */
export function accountRules(deps: AccountDeps) {
  const { users, store, sessions, directory, media, database, audit, events, clock } = deps;
  const { publishChange, erasing, policy, verification } = deps;

  /**
   * Changes a locked user and protects the last active administrator.
   * @throws userNotFound, lastAdministrator, changedMeanwhile; invalidToken or insufficientPermissions if the caller, changing
   * another user, has lost the account or the right meanwhile
   */
  async function change(userId: ObjectId, actor: Actor, parts: Change): Promise<User> {
    const { action, changed, permission: orPermission, alsoChange, asRead = {}, also } = parts;
    try {
      const [before, after] = await database.transaction(async (tx) => {
        const whom = { userId, actor: actor.actor, orPermission };
        const { user: before, by } = await lockWithActor(store, tx, whom);
        const given = changed(before, by);
        const changes = { ...changesOf(before, given), ...(await alsoChange?.(tx)) };
        if (changesNothing(changes)) return [before, before];
        mustBeAsRead(before, asRead);
        const isShown = Object.keys(changes).some((field) => !SENT_BY_APPS.includes(field));
        const updatedAt = isShown ? timeOfChange(clock, before) : before.updatedAt;
        const after = { ...before, ...given, updatedAt };
        if (isAdministrator(before) && !isAdministrator(after)) await requireOther(store, tx, userId);
        await store.update(tx, after);
        if (!after.isActive) await sessions.endIn(tx, userId, {}, 'account deactivated');
        await audit.record(tx, { ...actor, action, target: userId, changes });
        const { permissions, isActive } = after;
        await events.publish(tx, userChanged, cardOf(after));
        await events.publish(tx, userUpdated, { userId, permissions, isActive });
        await also?.(tx, before, after);
        return [before, after];
      });
      if (!after.isActive || after.permissions !== before.permissions) await publishChange(userId);
      return after;
    } catch (error) {
      throw translateDuplicate(error);
    }
  }

  return {
    change,
    /** @throws userNotFound */
    async get(userId: ObjectId): Promise<User> {
      const user = await store.find(userId);
      if (!user) throw userNotFound();
      return user;
    },
    /** @throws emailTaken, usernameTaken, customerIdTaken; 422 for an unfit password or too many permissions; those of {@link mustStayAdministrator} */
    async create(
      { password, ...draft }: NewAccount,
      actor: Actor,
      answering: Answering<User> = { idempotency: notIdempotent },
    ): Promise<User> {
      const email = canonicalEmail(draft.email);
      mustBeFew([...new Set(draft.permissions)]);
      if (password !== undefined) await policy.mustBeFit(password, { ...draft, email });
      // The directory registers the customer outside the transaction.
      await mustBeAdministrator(store, actor);
      const registered =
        password === undefined ? undefined : await directory.register({ ...draft, email, password });
      const customerId = draft.customerId ?? registered?.customerId ?? null;
      const also = async (tx: Transaction, user: User): Promise<User> => {
        await registered?.enrol(tx, user.id);
        const details = { email, permissions: user.permissions };
        await audit.record(tx, { ...actor, action: 'user.created', target: user.id, details });
        return answered(tx, answering, user);
      };
      // Before the row is inserted, for which others may wait who have locked the administrator.
      const first = (tx: Transaction) => mustStayAdministrator(store, tx, actor);
      return users.createAccount({ ...draft, customerId }, also, first);
    },
    async update(current: User, changes: AccountChange, actor: Actor, asRead: AsRead = {}): Promise<User> {
      const alreadySaved = Object.values(current.educator);
      await media.checkPublicUrls(
        { ...changes.educator },
        { ownerIds: [current.id, actor.actor], alreadySaved },
      );
      const also = mailNewAddress(verification);
      return change(current.id, actor, { action: 'user.updated', changed: updateOf(changes), asRead, also });
    },
    /** Changes the fields that educators may change themselves. @throws userNotFound, usernameTaken, changedMeanwhile */
    async changeProfile(
      userId: ObjectId,
      { profile, expectedUpdatedAt, ...names }: ProfileChanges,
      actor: Actor,
      alsoChange?: AlsoChange,
    ): Promise<void> {
      const changed = updateOf({ ...names, educator: profile ?? {} });
      const asRead = { expectedUpdatedAt };
      await change(userId, actor, { action: 'user.profile-changed', changed, alsoChange, asRead });
    },
    /**
     * Sets the permissions to the result of `next`.
     * @throws insufficientPermissions when `admin` is added or removed without `mayTouchAdmin`; 422 for more permissions than
     * a user may hold; userNotFound, lastAdministrator
     */
    setPermissions: (
      userId: ObjectId,
      next: (permissions: string[]) => string[],
      mayTouchAdmin: boolean,
      actor: Actor,
    ): Promise<User> => {
      const changed = permissionChange(next, mayTouchAdmin);
      return change(userId, actor, {
        action: 'user.permissions-changed',
        changed,
        permission: 'write_users',
      });
    },
    /**
     * Erases the personal data and keeps the id.
     * @throws userNotFound, lastAdministrator, the failures of `check`, and those of the wallet; invalidToken or
     * insufficientPermissions if the caller, deleting another user, has lost the account or the right meanwhile
     */
    async remove(userId: ObjectId, actor: Actor, removal: Removal): Promise<void> {
      const { remainingKeys, check, isTrial } = removal;
      const deletion = database.transaction(async (tx) => {
        const { user } = await lockWithActor(store, tx, { userId, actor: actor.actor });
        await check(tx, user);
        if (isAdministrator(user)) await requireOther(store, tx, userId);
        await sessions.endIn(tx, userId, {}, 'account deleted');
        await erasing.begin(tx, user, remainingKeys ?? 'none');
        await store.erase(tx, userId, new Date(clock.now()));
        await events.publish(tx, userChanged, erasedCard(user, clock.date()));
        const details = remainingKeys && { remainingKeys };
        await audit.record(tx, { ...actor, action: 'user.deleted', target: userId, details });
        if (isTrial) throw new TrialEnded();
      });
      await deletion.catch((error) => {
        if (!(error instanceof TrialEnded)) throw error;
      });
      if (!isTrial) await publishChange(userId);
    },
    /** @throws sessionNotFound if the target names a session that is not active */
    async endSessions(userId: ObjectId, target: SessionTarget, actor: Actor): Promise<number> {
      const ended = await database.transaction(async (tx) => {
        const ended = await sessions.endIn(tx, userId, target, 'ended by an administrator');
        if (ended === 0 && target.sessionId !== undefined) throw sessionNotFound();
        if (ended === 0) return 0;
        const details = { ...target, ended };
        await audit.record(tx, { ...actor, action: 'user.sessions-ended', target: userId, details });
        return ended;
      });
      if (ended > 0) await publishChange(userId);
      return ended;
    },
  };
}

export type Accounts = ReturnType<typeof accountRules>;

const mailNewAddress =
  ({ issue }: Pick<VerificationRules, 'issue'>) =>
  async (tx: Transaction, before: User, after: User): Promise<void> => {
    if (after.email !== before.email) await issue(tx, after);
  };

/** Returns the change of an address; a different address is not verified. */
const addressed = (user: User, email: string): Partial<User> =>
  email === user.email ? { email } : { email, emailVerified: false };

async function requireOther(store: UserStore, tx: Transaction, userId: ObjectId): Promise<void> {
  if (!(await store.hasOtherAdministrator(tx, userId))) throw lastAdministrator();
}

/** Returns what an update changes; fields of the educator that it does not name stay. */
const updateOf =
  ({ email, ...changes }: AccountChange) =>
  (user: User): Partial<User> => ({
    ...changes,
    ...storedNames(changes),
    ...(email === undefined ? {} : addressed(user, canonicalEmail(email))),
    ...(changes.educator === undefined ? {} : { educator: profileWith(user.educator, changes.educator) }),
  });

/** @throws 422 for more permissions than a user may hold */
function mustBeFew(permissions: string[]): void {
  const message = `would leave the user with more than ${MOST_PERMISSIONS}`;
  if (permissions.length > MOST_PERMISSIONS) throw validationFailed([{ field: 'permissions', message }]);
}

/**
 * Returns the change of permissions; a caller who has lost `admin` meanwhile can neither add nor remove it.
 * @throws 422 if the user would get more than the limit
 */
const permissionChange =
  (next: (permissions: string[]) => string[], mayTouchAdmin: boolean) =>
  (user: User, by?: User): Partial<User> => {
    const { permissions } = user;
    const wanted = [...new Set(next(permissions))];
    const mayStill = mayTouchAdmin && (!by || by.permissions.includes(ADMIN));
    if (!mayStill && wanted.includes(ADMIN) !== permissions.includes(ADMIN)) throw insufficientPermissions();
    if (wanted.length > permissions.length) mustBeFew(wanted);
    const isSame = wanted.length === permissions.length && wanted.every((one) => permissions.includes(one));
    return isSame ? {} : { permissions: wanted };
  };

/** What a member's app sends by itself: administrators edit none of it, so that it does not overtake their edits. */
const SENT_BY_APPS = ['timeZone', 'locale'];

const isAdministrator = ({ isActive, permissions }: User): boolean => isActive && permissions.includes(ADMIN);

/** Returns the card of an erased account, in the state in which {@link UserStore.erase} leaves it. */
const erasedCard = (user: User, at: Date): MemberCard =>
  cardOf({
    ...user,
    username: `deleted:${user.id}`,
    firstName: '',
    lastName: '',
    permissions: [],
    educator: {},
    isActive: false,
    updatedAt: at,
    deletedAt: at,
  });
