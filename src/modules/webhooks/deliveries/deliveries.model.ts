import type { ObjectId } from '../../../kernel/ids.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The response of an endpoint to an attempt. */
interface Response {
  /** ISO 8601. */
  at: string;
  status: number;
  ms: number;
  /** The first 2 KiB. */
  body: string;
}

/** A delivery as stored in the database. */
export interface DeliveryRow {
  endpoint: number;
  sequence: number;
  eventId: ObjectId | null;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  responseStatus: number | null;
  responseMs: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
}

/** A delivery with its request and responses. */
export interface DeliveryDetail extends DeliveryRow {
  happenedAt: Date | null;
  data: string | null;
  responses: Response[];
}

const HALF = 8;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Returns the id of a delivery: it consists of the endpoint and the number, and so needs no index. */
export const deliveryId = ({ endpoint, sequence }: Pick<DeliveryRow, 'endpoint' | 'sequence'>): ObjectId =>
  hex(endpoint, HALF) + hex(sequence, 2 * HALF);

/** Returns the number in the id of a delivery to an endpoint; undefined for another endpoint's. */
export function sequenceIn(id: ObjectId, endpoint: number): number | undefined {
  const sequence = Number.parseInt(id.slice(HALF), 16);
  return id.startsWith(hex(endpoint, HALF)) && Number.isSafeInteger(sequence) ? sequence : undefined;
}

/** Returns the body of a delivery, with the same bytes in every attempt. */
export const bodyOf = (event: {
  type: string;
  happenedAt: Date;
  data: string;
  id: ObjectId;
  sequence: number;
}): string =>
  `{"type":"${event.type}","timestamp":"${event.happenedAt.toISOString()}","data":${event.data},"id":"evt_${event.id}","sequence":${event.sequence}}`;
