/** The texts that report a member as active or inactive. */
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
/** Maximum length of a text in a body, in characters. */
export const MAX_TEXT = 320;

/** A body as received. */
export type Body = Record<string, unknown>;

/** Optional metadata of a webhook. */
export interface Envelope {
  eventId: string | undefined;
  occurredAt: Date | undefined;
}
