/** Part 1, Platform and SKU records. */
export const PLATFORMS = ['app', 'livestream', 'scanners', 'web', 'backoffice'] as const;
export type ClientPlatform = (typeof PLATFORMS)[number];
