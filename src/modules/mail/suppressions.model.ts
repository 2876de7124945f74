import type { ObjectId } from '../../kernel/ids.ts';

export const FEEDBACK_KINDS = ['bounce', 'complaint'] as const;
type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** What a mail service reports about an address. */
export interface Feedback {
  email: string;
  kind: FeedbackKind;
  /** Whether mail to the address will never arrive; complaints always are. */
  isPermanent: boolean;
  reason: string | null;
  at: Date;
}

/** An address that gets no mail, except codes that its owner asks for. */
export interface Suppression {
  id: ObjectId;
  email: string;
  kind: FeedbackKind;
  reason: string | null;
  reportedAt: Date;
  createdAt: Date;
}
