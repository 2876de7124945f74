import type { ObjectId } from '../../../kernel/ids.ts';

export const ALERT_STATUSES = ['open', 'closed'] as const;

/** What a person must deal with, as the kernel records it (`operatorAlerts`). */
export interface AlertRecord {
  id: ObjectId;
  subject: string;
  action: string;
  actor: string;
  target: string;
  details: Record<string, unknown>;
  raisedAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
}

export interface AlertFilter {
  status?: (typeof ALERT_STATUSES)[number] | undefined;
  target?: string | undefined;
}
