import type { ObjectId } from '../../../kernel/ids.ts';

export const MAX_ENDPOINTS = 20;

/** An endpoint, to which events are sent. */
export interface Endpoint {
  id: ObjectId;
  number: number;
  url: string;
  types: string[];
  description: string | null;
  enabled: boolean;
  ordered: boolean;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
  lastSequence: number;
  failingSince: Date | null;
  disabledReason: string | null;
  lastDeliveredAt: Date | null;
  createdAt: Date;
  /** When an administrator last changed it; what becomes of its deliveries is no change of it. */
  updatedAt: Date;
}
