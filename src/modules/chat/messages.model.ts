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

/** A message that may have been deleted, and by whom. */
export type EverMessage = Message & {
  deletedBy: ObjectId | null;
  /**
   * Whether that was staff, rather than its author or the owner of its room then; null if it was not deleted, or before this
   * was kept.
   */
  isDecided: boolean | null;
};

/** For how long members can report what they can no longer read. */
export const REPORTABLE_DAYS = 7;

/** How often a message can be edited within that time, so that a report can have all that it said. */
export const MAX_EDITS = 20;

/** A new or changed message; its text is null if it is to be read later. */
export type Change = Omit<Message, 'message'> & { message: string | null; bytes: number };

/** Maximum length of the text of a room's last message in lists. */
export const MAX_BEGINNING_LENGTH = 200;

/** The newest message of a room that is not deleted, with the beginning of its text. */
export type LastMessage = Pick<Message, 'id' | 'roomId' | 'userId' | 'message' | 'createdAt'>;
