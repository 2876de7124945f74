import type { ObjectId } from '../../kernel/ids.ts';

export interface Message {
  id: ObjectId;
  roomId: ObjectId;
  userId: ObjectId;
  message: string;
  /** Event number of its creation in its room. */
  seq: number;
  /** Event number of its latest change. */
  changedSeq: number;
  clientId: string | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
  /** Digest of the original text; only after an edit. */
  sentDigest: Buffer | null;
}

/** A message that was created or changed; its text may be left to be read later. */
export type Change = Omit<Message, 'message'> & { message: string | null; bytes: number };
