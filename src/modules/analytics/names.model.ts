/** The source of an event: a member's client, or the platform itself. */
export const SOURCES = ['client', 'platform', 'all'] as const;
export type Source = (typeof SOURCES)[number];

/** The name and type of an event. */
export interface EventName {
  name: string;
  type: string;
}

export interface NumberedName extends EventName {
  no: number;
}

/** A name of client events as administrators see it. */
export interface ListedName {
  eventName: string;
  eventType: string;
  listedAt: Date | null;
  isRemoved: boolean;
}

/** Number of names that each member ever lists alone. */
export const NAMES_ALONE = 50;
/** Number of members who must use any other name before it is listed. */
export const MEMBERS_OF_NAME = 3;
