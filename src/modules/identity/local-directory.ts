import {
  authenticationFailed,
  type CustomerDirectory,
  type Enrolment,
} from '../../external/directory/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { PasswordHasher } from './passwords.ts';
import type { PurchaseStore } from './purchases.store.ts';
import type { UserStore } from './users.store.ts';

interface LocalDirectoryNeeds {
  users: UserStore;
  purchases: PurchaseStore;
  hasher: PasswordHasher;
  clock: Clock;
  ownerOfSession: (tokens: { accessToken: string; refreshToken: string }) => Promise<ObjectId | undefined>;
}

const NOBODY = '0'.repeat(24);

/** The customer directory in our own database: argon2id passwords, and purchases that administrators record. */
export function localDirectory({
  users,
  purchases,
  hasher,
  clock,
  ownerOfSession,
}: LocalDirectoryNeeds): CustomerDirectory {
  async function enrolment(password: string): Promise<Enrolment> {
    const hash = await hasher.hash(password);
    return (tx, userId) => users.putPassword(tx, userId, hash, new Date(clock.now()));
  }
  async function products(email: string) {
    const user = await users.findByEmail(email);
    return user ? purchases.productsOf(user.id) : [];
  }
  return {
    authenticate: async (email, password) => {
      const user = await users.findByEmail(email);
      // Asked for nobody too, so that an unknown e-mail takes as long.
      const hash = await users.passwordHash(user?.id ?? NOBODY);
      if (!(await hasher.verify(hash, password)) || !user || !hash) throw authenticationFailed();
      if (hasher.isOutdated(hash)) await rehash(user.id, password);
      const { firstName, lastName, customerId } = user;
      return { email, firstName, lastName, customerId, products: await purchases.productsOf(user.id) };
    },
    products,
    register: async ({ password }) => ({ customerId: null, enrol: await enrolment(password) }),
    preparePassword: (_email, password) => enrolment(password),
    // The directory is ours, and so are its tokens: a member signed in on one platform may hop to another.
    ownerOf: async (tokens) => {
      const userId = await ownerOfSession(tokens);
      return userId && (await users.find(userId))?.email;
    },
  };

  /** The parameters have changed since this hash was made, and now the password is at hand. */
  async function rehash(userId: string, password: string): Promise<void> {
    const enrol = await enrolment(password);
    await users.inTransaction((tx) => enrol(tx, userId));
  }
}
