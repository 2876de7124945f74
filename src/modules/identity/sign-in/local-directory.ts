import {
  authenticationFailed,
  type Customer,
  type CustomerDirectory,
  type Enrolment,
} from '../../../external/directory/port.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { PasswordHasher } from '../passwords/passwords.ts';
import type { PurchaseStore } from '../purchases/purchases.store.ts';
import type { Claims } from '../sessions/access-tokens.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';

interface LocalDirectoryDeps {
  users: UserStore;
  purchases: PurchaseStore;
  hasher: PasswordHasher;
  clock: Clock;
  sessionOf: (tokens: { accessToken: string; refreshToken: string }) => Promise<Claims | undefined>;
}

/**
 * A customer directory in the platform's own database: argon2id passwords, and purchases recorded by administrators.
 */
export function localDirectory({
  users,
  purchases,
  hasher,
  clock,
  sessionOf,
}: LocalDirectoryDeps): CustomerDirectory {
  async function enrolment(password: string): Promise<Enrolment> {
    const hash = await hasher.hash(password);
    return (tx, userId) => users.putPassword(tx, userId, hash, new Date(clock.now()));
  }
  async function products(email: string) {
    const user = await users.findByEmail(email);
    return user ? purchases.productsOf(user.id) : [];
  }
  async function customerFor({ id, email, firstName, lastName, customerId }: User): Promise<Customer> {
    return { email, firstName, lastName, customerId, products: await purchases.productsOf(id) };
  }
  return {
    authenticate: async (email, password) => {
      const user = await users.findWithHash(email);
      const hash = user?.hash ?? undefined;
      if (!(await hasher.verify(hash, password)) || !user || !hash) throw authenticationFailed();
      // The hash has outdated parameters; rehash while the plain password is available.
      if (hasher.isOutdated(hash)) await users.replaceHash(user.id, hash, await hasher.hash(password));
      return customerFor(user);
    },
    products,
    register: async ({ password }) => ({ customerId: null, enrol: await enrolment(password) }),
    preparePassword: (_email, password) => enrolment(password),
    // This directory accepts the platform's own tokens, so that a member who is signed in on one platform can sign in
    // on another.
    customerOf: async (tokens) => {
      const session = await sessionOf(tokens);
      const user = session && (await users.find(session.userId));
      return user && { customer: await customerFor(user), sessionId: session.sessionId };
    },
  };
}
