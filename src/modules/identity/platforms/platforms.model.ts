/** The client platforms on which members sign in. */
export const PLATFORMS = ['app', 'livestream', 'scanners', 'web', 'backoffice'] as const;
export type ClientPlatform = (typeof PLATFORMS)[number];
