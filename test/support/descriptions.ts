import { readConfig } from '../../src/app/config.ts';
import { describePlatform } from '../../src/app/description.ts';
import { lazy } from '../../src/kernel/concurrency/lazy.ts';
import type { Loose } from './answer.ts';

/** The descriptions that clients read, as they read them: OpenAPI as `api` and AsyncAPI as `live`. */
export const descriptions = lazy((): { api: Loose; live: Loose } =>
  JSON.parse(JSON.stringify(describePlatform(readConfig({})))),
);
