import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { aloneIfRolledBack } from '../../../kernel/database/rolled-back.ts';
import { failure, notFound, serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { ChangingFactors } from '../factors/changing-factors.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import {
  MAX_PASSKEYS,
  type Passkey,
  type PresentedSignature,
  type Signer,
  type Use,
} from './passkeys.model.ts';
import type { PasskeyStore } from './passkeys.store.ts';
import type { WebAuthn } from './web-authn.ts';

export const passkeyNotFound = notFound('Passkey');
export const passkeyExists = failure(409, 'PASSKEY_EXISTS', 'This passkey was added before');
export const tooManyPasskeys = failure(409, 'TOO_MANY_PASSKEYS', `You have ${MAX_PASSKEYS} passkeys already`);
const REJECTED = 'The passkey is wrong, or its challenge has expired or was used before';
/** The failure of a sign-in. */
export const passkeyRejected = failure(401, 'PASSKEY_REJECTED', REJECTED);
/** The failure of signed-in members, with 400, since a 401 would make clients refresh their token. */
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

/** A verified signature and the member who made it. */
export interface JudgedSignature {
  user: User;
  use: Use;
}

/** The passkeys of members. */
export function passkeyRules(deps: PasskeyDeps) {
  const { store, users, changing, web, database, clock, newId } = deps;

  /**
   * Signatures that arrive together share a statement. If several respond to the same challenge, the first one
   * counts.
   */
  const present = batching<PresentedSignature, Signer | undefined>(
    aloneIfRolledBack(async (signatures) => {
      const byChallenge = new Map(signatures.toReversed().map((one) => [one.jti, one]));
      const distinct = [...byChallenge.values()];
      const signers = await store.present(distinct);
      const signerOf = new Map(distinct.map((one, place) => [one, signers[place]]));
      return signatures.map((one) => signerOf.get(one));
    }),
    { maxSize: 100, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable },
  );

  /** @throws passkeyNotFound, also for another member's passkey */
  async function find(id: ObjectId, userId: ObjectId): Promise<Passkey> {
    const passkey = await store.find(id, userId);
    if (!passkey) throw passkeyNotFound();
    return passkey;
  }

  /**
   * Spends the challenge of a signature and checks it; returns undefined if the challenge or the signature is wrong.
   * The member is read before the signature is judged, so that their credential version reveals later changes.
   */
  async function judge(response: AuthenticationResponseJSON): Promise<JudgedSignature | undefined> {
    const answered = web.answered(response);
    const signer = answered && (await present({ ...answered.challenge, credentialId: response.id }));
    const use = signer && (await web.verify(signer, response, answered.client));
    return use && { user: signer.user, use };
  }

  return {
    find,
    list: async (userId: ObjectId) => (await store.listOf(userId)).map(viewOf),

    /** Returns the options with which the browser creates a passkey. */
    async creationOptions({ userId }: UserCaller) {
      const user = await users.find(userId);
      if (!user) throw invalidToken();
      return web.registrationOptions(user, await store.listOf(userId));
    },

    prepare: web.prepare,
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
        return answered(tx, { idempotency }, viewOf(passkey));
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

    judge,

    /** Records a verified use; returns whether it still counts. The member must be locked. */
    use: (tx: Transaction, use: Use): Promise<boolean> => store.use(tx, use, clock.date()),

    /** Checks a signature of the caller's own passkey. @throws passkeyRefused */
    async verifyOf(userId: ObjectId, response: AuthenticationResponseJSON): Promise<Use> {
      const judged = await judge(response);
      if (judged?.user.id !== userId) throw passkeyRefused();
      return judged.use;
    },
  };
}

export type PasskeyRules = ReturnType<typeof passkeyRules>;
