import { readFileSync } from 'node:fs';

/** Returns the current release, from `package.json`. */
export const platformVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
