import { readFileSync } from 'node:fs';

/** The release that this is, as `package.json` says. */
export const platformVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
