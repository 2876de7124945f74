/** How many reports of an item are shown beside its newest one. */
export const SHOWN_EARLIER = 9;

/** Where counting the reports of an item stops. */
export const MOST_REPORTS_OF_ITEM = 1_000;

/** How many neighbours of a reported item moderators see on each side of it. */
export const SHOWN_NEIGHBOURS = 10;

/** The characters that lists show of what a reported text said before; its context has all of it. */
export const EARLIER_IN_LISTS = 300;
