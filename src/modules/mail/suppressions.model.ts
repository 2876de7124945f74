import type { ObjectId } from '../../kernel/ids.ts';

export const FEEDBACK_KINDS = ['bounce', 'complaint'] as const;
type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** A report of a mail service about an address. */
export interface Feedback {
  email: string;
  kind: FeedbackKind;
  /** Whether the failure is permanent; complaints always count as permanent. */
  isPermanent: boolean;
  reason: string | null;
  at: Date;
}

/** A suppressed address. It receives no mail, except codes that its owner requests. */
export interface Suppression {
  id: ObjectId;
  email: string;
  kind: FeedbackKind;
  reason: string | null;
  reportedAt: Date;
  createdAt: Date;
}
