/** A key pair in its stored, sealed form. */
export interface SealedKey {
  kid: string;
  sealed: Buffer;
  createdAt: Date;
}
