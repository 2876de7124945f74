import { readConfig } from '../../src/config.ts';
import { describePlatform } from '../../src/description.ts';
import { lazy } from '../../src/kernel/lazy.ts';
import type { Loose } from './answer.ts';

/** The descriptions that clients read, as they read them: OpenAPI as `api` and AsyncAPI as `live`. */
export const descriptions = lazy((): { api: Loose; live: Loose } =>
  JSON.parse(JSON.stringify(describePlatform(readConfig({})))),
);
