import type { ObjectId } from '../../../kernel/ids.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import type { User } from '../users/users.model.ts';

/** How many passkeys a member may have. */
export const MAX_PASSKEYS = 20;

export interface Passkey {
  id: ObjectId;
  userId: ObjectId;
  /** The id that the authenticator gave it, in base64url. */
  credentialId: string;
  publicKey: Buffer;
  /** How often the authenticator has signed; 0 of those that do not count. */
  counter: number;
  name: string;
  transports: string[];
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** What a signature is checked with. */
export type SigningPasskey = Pick<Passkey, 'id' | 'credentialId' | 'publicKey' | 'counter'>;

/** What a verified signature changes of its passkey. */
export type Use = Pick<Passkey, 'id' | 'counter' | 'backedUp'>;

/** A signature that answers one of our challenges, before it is checked. */
export interface PresentedSignature extends SpendableToken {
  credentialId: string;
}

/** A passkey and whose it is. */
export interface Signer {
  user: User;
  passkey: SigningPasskey;
}
