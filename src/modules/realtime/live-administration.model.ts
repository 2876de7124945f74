/** Number of connections that a list has at most. */
export const MOST_LISTED = 500;

/** Number of rooms shown with a connection. */
export const SHOWN_ROOMS = 100;
