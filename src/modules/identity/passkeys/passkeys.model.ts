import type { ObjectId } from '../../../kernel/ids.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import type { User } from '../users/users.model.ts';

/** Maximum number of passkeys of a member. */
export const MAX_PASSKEYS = 20;

export interface Passkey {
  id: ObjectId;
  userId: ObjectId;
  /** The id that the authenticator gave it, in base64url. */
  credentialId: string;
  publicKey: Buffer;
  /** Number of signatures that the authenticator has made; 0 for authenticators that do not count. */
  counter: number;
  name: string;
  transports: string[];
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The fields of a passkey that verify a signature. */
export type SigningPasskey = Pick<Passkey, 'id' | 'credentialId' | 'publicKey' | 'counter'>;

/** The fields of a passkey that a verified signature changes. */
export type Use = Pick<Passkey, 'id' | 'counter' | 'backedUp'>;

/** A signature of one of our challenges, before it is verified. */
export interface PresentedSignature extends SpendableToken {
  credentialId: string;
}

/** A passkey and its owner. */
export interface Signer {
  user: User;
  passkey: SigningPasskey;
}
