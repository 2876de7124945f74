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
  /** Digest of the original text; null unless the message was edited. */
  sentDigest: Buffer | null;
}

/** A new or changed message; its text is null if it is to be read later. */
export type Change = Omit<Message, 'message'> & { message: string | null; bytes: number };
