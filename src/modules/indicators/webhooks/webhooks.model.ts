/** The words for whether a member is active. */
export const STATUSES: Record<string, boolean> = {
  active: true,
  enabled: true,
  inactive: false,
  cancelled: false,
  canceled: false,
  expired: false,
  suspended: false,
  disabled: false,
};
/** The longest text of a body, in characters. */
export const MAX_TEXT = 320;

/** A body as received. */
export type Body = Record<string, unknown>;

/** Optional metadata of a webhook. */
export interface Envelope {
  eventId: string | undefined;
  occurredAt: Date | undefined;
}
