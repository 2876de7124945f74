import type { Transaction } from '../../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { OBJECT_ID, type ObjectId } from '../../../kernel/ids.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { userNotFound } from '../contract.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';

export const ADMIN = 'admin';

/** Who is changed by whom; `actor` is the id of a member, or names a service. */
interface Change extends Pick<Actor, 'actor'> {
  userId: ObjectId;
  /** A permission that serves besides `admin`. */
  orPermission?: string | undefined;
}

/** Two users who are locked until the transaction ends. */
interface Locked {
  user: User;
  /** The member who changes the user, who may be the user; undefined for a service. */
  by: User | undefined;
}

/**
 * Checks that an administrator still is one, before something that no transaction takes back; a service passes.
 * @throws invalidToken, insufficientPermissions
 */
export async function mustBeAdministrator(
  store: Pick<UserStore, 'find'>,
  { actor }: Pick<Actor, 'actor'>,
): Promise<void> {
  if (OBJECT_ID.test(actor)) mustHold(await store.find(actor), ADMIN);
}

/** @throws invalidToken, insufficientPermissions */
function mustHold(by: User | undefined, orPermission: string): void {
  if (!by?.isActive) throw invalidToken();
  if (!by.permissions.some((one) => one === ADMIN || one === orPermission)) throw insufficientPermissions();
}

/**
 * Locks an administrator who creates something; a service passes.
 * @throws invalidToken or insufficientPermissions if they have lost the account or the right since the request was admitted
 */
export async function mustStayAdministrator(
  store: Pick<UserStore, 'lock'>,
  tx: Transaction,
  { actor }: Pick<Actor, 'actor'>,
): Promise<void> {
  if (OBJECT_ID.test(actor)) mustHold(await store.lock(tx, actor), ADMIN);
}

/**
 * Locks a user and the member who changes or deletes them. They are locked in the order of their ids, so that two
 * administrators who change each other do not wait for one another; the second one then has lost what the first one took.
 * @throws userNotFound; invalidToken if the acting member was deleted or deactivated since the request was admitted, and
 * insufficientPermissions if they have lost `admin` and do not hold `orPermission` either
 */
export async function lockWithActor(
  store: Pick<UserStore, 'lock'>,
  tx: Transaction,
  { userId, actor, orPermission = ADMIN }: Change,
): Promise<Locked> {
  const isMember = OBJECT_ID.test(actor);
  const locked = new Map<ObjectId, User | undefined>();
  for (const id of [...new Set([userId, ...(isMember ? [actor] : [])])].sort())
    locked.set(id, await store.lock(tx, id));
  const [user, by] = [locked.get(userId), locked.get(actor)];
  if (isMember && actor !== userId) mustHold(by, orPermission);
  if (!user) throw userNotFound();
  return { user, by };
}
