import type { ObjectId } from '../../kernel/ids.ts';

export const REQUEST_STATUSES = ['pending', 'approved', 'denied'] as const;

/** An answer with the wording of its question at that time, which is kept when the question changes. */
export interface Answer {
  key: string;
  label: string;
  value: string | number | boolean | string[];
}

/** A member's request for a product. */
export interface AccessRequest {
  id: ObjectId;
  productId: ObjectId;
  userId: ObjectId;
  fullName: string;
  /** As entered by the member; it may differ from the e-mail of the account. */
  email: string;
  chartingId: string | null;
  answers: Answer[];
  status: (typeof REQUEST_STATUSES)[number];
  /** Number of times it was submitted. */
  submissions: number;
  reason: string | null;
  decidedBy: ObjectId | null;
  decidedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A request in the review queue, without the data that identity has about its account. */
export interface QueuedRow extends AccessRequest {
  productName: string;
}

export interface QueueFilter {
  status?: AccessRequest['status'];
  productId?: ObjectId;
  /** Part of a name, an e-mail or a charting id; the beginning of one if it is shorter than three characters. */
  search?: string;
}
