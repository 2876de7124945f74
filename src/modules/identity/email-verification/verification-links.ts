import { randomBytes } from 'node:crypto';
import type { CustomerDirectory, Enrolment } from '../../../external/directory/port.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { LinkAccess, Verification } from './email-verification.model.ts';
import type { VerificationRules } from './email-verification.ts';

/** For the audit log. */
const REASON = 'Whoever followed the link of the verification mail said that they had not signed up';

/** The result of a verification by a link. */
export interface Verified {
  emailVerified: true;
  /** Whether the account's password and sessions ended by this link, if its follower asked for that. */
  accessEnded?: boolean;
}

interface Deps extends Pick<Core, 'audit'> {
  verification: Pick<VerificationRules, 'verifyByToken' | 'ownerOf' | 'noteEnding'>;
  users: Pick<UserStore, 'expectsProof' | 'proveEmail' | 'raisePasswordVersion'>;
  sessions: {
    endIn(tx: Transaction, userId: ObjectId, target: object, reason: string): Promise<unknown>;
  };
  directory: Pick<CustomerDirectory, 'preparePassword'>;
  factors: { removeUnproven(tx: Transaction, user: User, proof: 'removed-by-owner'): Promise<void> };
  /** Returns whether the owner of this e-mail has signed in from this network before. */
  hasSignedInFrom: (email: string, network: string) => Promise<boolean>;
  publishChange: (userId: ObjectId) => Promise<void>;
}

/**
 * Verifies addresses by the links of mails. A link shows that its follower reads the mailbox, and nothing of whoever signed
 * up, who may be a stranger waiting for the owner of the address to verify an account that the stranger can get into. Only
 * its follower knows, and says whether they signed up.
 */
export function verificationLinks(deps: Deps) {
  const { verification, users, sessions, directory, factors, audit, hasSignedInFrom, publishChange } = deps;

  /** Returns the owner of the link's account if they may be somebody else than who reads the mailbox. */
  async function unprovenOwnerOf(token: string): Promise<User | undefined> {
    const user = await verification.ownerOf(token);
    return user && (await users.expectsProof(user.id)) ? user : undefined;
  }

  /** Ends all access that whoever signed up has. Their password is replaced by one that nobody knows. */
  async function endAccess(tx: Transaction, user: User, replacePassword: Enrolment): Promise<void> {
    await replacePassword(tx, user.id);
    await users.raisePasswordVersion(tx, user.id);
    await sessions.endIn(tx, user.id, {}, 'address proved by somebody else');
    await factors.removeUnproven(tx, user, 'removed-by-owner');
    const entry = { action: 'user.access-ended', target: user.id, reason: REASON };
    await audit.record(tx, { actor: user.id, ...entry });
    await verification.noteEnding(tx, user.id);
  }

  /** Ends the access, unless it has ended by this link before, or whoever signed up has shown that they read the mailbox. */
  async function endOnce(
    tx: Transaction,
    user: User,
    { hasEndedAccess }: Verification,
    replacePassword: Enrolment | undefined,
  ): Promise<'now' | 'before' | 'not'> {
    if (hasEndedAccess) return 'before';
    if (!replacePassword || !(await users.proveEmail(tx, user.id))) return 'not';
    await endAccess(tx, user, replacePassword);
    return 'now';
  }

  return {
    /** Whether nothing shows that who follows the link from this network signed up, so that they should be asked. */
    async mayBeStranger(token: string, network: string): Promise<boolean> {
      const user = await unprovenOwnerOf(token);
      return user !== undefined && !(await hasSignedInFrom(user.email, network));
    },

    /**
     * Verifies an address.
     * @param access `end` if its owner has not signed up: the sessions, the password and the factors of whoever did end, once
     * for each link and unless the address was proved before, and the owner sets a password by a reset
     * @throws invalidVerificationCode
     */
    async verify(token: string, access: LinkAccess): Promise<Verified> {
      if (access === 'keep') {
        await verification.verifyByToken(token, async () => undefined);
        return { emailVerified: true };
      }
      const stranger = await unprovenOwnerOf(token);
      // Hashed before the member is locked, who may show themselves meanwhile.
      const replacePassword =
        stranger && (await directory.preparePassword(stranger.email, randomBytes(32).toString('base64url')));
      const { userId, ended } = await verification.verifyByToken(token, async (tx, user, link) => ({
        userId: user.id,
        ended: await endOnce(tx, user, link, replacePassword),
      }));
      if (ended === 'now') await publishChange(userId);
      return { emailVerified: true, accessEnded: ended !== 'not' };
    },
  };
}

export type VerificationLinks = ReturnType<typeof verificationLinks>;
