import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { type IdempotencyContext, saveResponses } from '../../../kernel/records/idempotency.ts';
import type { ChangingFactors } from '../factors/changing-factors.ts';
import type { UserStore } from '../users/users.store.ts';
import { MAX_PASSKEYS, type Passkey, type Use } from './passkeys.model.ts';
import type { PasskeyStore } from './passkeys.store.ts';
import type { WebAuthn } from './web-authn.ts';

export const passkeyNotFound = notFound('Passkey');
export const passkeyExists = failure(409, 'PASSKEY_EXISTS', 'This passkey was added before');
export const tooManyPasskeys = failure(409, 'TOO_MANY_PASSKEYS', `You have ${MAX_PASSKEYS} passkeys already`);
const REJECTED = 'The passkey is wrong, or its challenge has expired or was used before';
/** Of sign-ins. */
export const passkeyRejected = failure(401, 'PASSKEY_REJECTED', REJECTED);
/** Of members who are signed in: a 401 would send clients to refresh their token. */
export const passkeyRefused = failure(400, 'PASSKEY_REJECTED', REJECTED);

interface PasskeyDeps extends Pick<Core, 'database' | 'clock' | 'newId'> {
  store: PasskeyStore;
  users: Pick<UserStore, 'find'>;
  changing: ChangingFactors;
  web: WebAuthn;
}

const viewOf = ({ id, name, createdAt, lastUsedAt, transports, backedUp }: Passkey) => ({
  id,
  name,
  createdAt,
  lastUsedAt,
  transports,
  backedUp,
});

/** The passkeys of members. */
export function passkeyRules(deps: PasskeyDeps) {
  const { store, users, changing, web, database, clock, newId } = deps;

  /** @throws passkeyNotFound, also for somebody else's */
  async function find(id: ObjectId, userId: ObjectId): Promise<Passkey> {
    const passkey = await store.find(id, userId);
    if (!passkey) throw passkeyNotFound();
    return passkey;
  }

  return {
    find,
    list: async (userId: ObjectId) => (await store.listOf(userId)).map(viewOf),

    /** Returns what the browser needs to make a passkey. */
    async creationOptions({ userId }: UserCaller) {
      const user = await users.find(userId);
      if (!user) throw invalidToken();
      return web.registrationOptions(user, await store.listOf(userId));
    },

    signInOptions: web.signInOptions,

    /** @throws passkeyRefused, passkeyExists, tooManyPasskeys, stepUpRequired */
    async register(
      caller: UserCaller,
      { name, response }: { name: string; response: RegistrationResponseJSON },
      idempotency: IdempotencyContext,
    ) {
      const registered = await web.register(caller.userId, response);
      if (!registered) throw passkeyRefused();
      return database.transaction(async (tx) => {
        const user = await changing.lock(tx, caller);
        if ((await store.listOf(user.id, tx)).length >= MAX_PASSKEYS) throw tooManyPasskeys();
        const hadFactor = await changing.hasFactor(tx, user.id);
        const passkey: Passkey = {
          id: newId(),
          userId: user.id,
          ...registered,
          name: name.trim(),
          createdAt: clock.date(),
          lastUsedAt: null,
        };
        if (!(await store.insert(tx, passkey))) throw passkeyExists();
        await changing.added(tx, user, hadFactor, 'passkey-added');
        await saveResponses(tx, [idempotency.record(() => viewOf(passkey))]);
        return viewOf(passkey);
      });
    },

    async rename(passkey: Passkey, name: string) {
      await store.rename(passkey.id, name.trim());
      return viewOf({ ...passkey, name: name.trim() });
    },

    /** @throws passkeyNotFound, stepUpRequired */
    remove: (caller: UserCaller, id: ObjectId): Promise<void> =>
      database.transaction(async (tx) => {
        const user = await changing.lock(tx, caller);
        if (!(await store.delete(tx, id, user.id))) throw passkeyNotFound();
        await changing.removed(tx, user, 'passkey-removed');
      }),

    findSigner: store.findSigner,

    /** Checks a signature; returns undefined if it is wrong. Its challenge is used up. */
    verify: web.verify,

    /** Records a verified use; returns whether it still counts. The member must be locked. */
    use: (tx: Transaction, use: Use): Promise<boolean> => store.use(tx, use, clock.date()),

    /** Checks a signature of the caller's own passkey. @throws passkeyRefused */
    async verifyOf(userId: ObjectId, response: AuthenticationResponseJSON): Promise<Use> {
      const signer = await store.findSigner(response.id);
      const use = signer?.user.id === userId ? await web.verify(signer.passkey, response) : undefined;
      if (!use) throw passkeyRefused();
      return use;
    },
  };
}

export type PasskeyRules = ReturnType<typeof passkeyRules>;
