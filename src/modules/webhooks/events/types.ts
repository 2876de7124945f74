/** The pattern for all types. */
export const ALL = '*';

/** Whether a pattern (`*`, `wallet.*` or a type) covers a type. */
const covers = (pattern: string, type: string): boolean =>
  pattern === ALL ||
  pattern === type ||
  (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -ALL.length)));

/** Whether any of the patterns covers a type. */
export const selects = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => covers(pattern, type));

/** Returns the patterns that match no type. */
export const unknownAmong = (patterns: readonly string[], known: readonly string[]): string[] =>
  patterns.filter((pattern) => !known.some((type) => covers(pattern, type)));
