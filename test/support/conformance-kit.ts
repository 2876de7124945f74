import type { Options } from '../../conformance/src/options.ts';
import { ADMIN, type TestPlatform, WEBHOOK_SECRET } from './platform.ts';

/** The options of the conformance kit for a test platform. */
export const optionsFor = (platform: TestPlatform): Options => ({
  url: platform.url,
  adminKey: platform.client.headers['x-api-key'] as string,
  adminEmail: ADMIN.email,
  adminPassword: ADMIN.password,
  webhookSecret: WEBHOOK_SECRET,
  emailDomain: 'example.com',
  touchEverybody: true,
  only: [],
});
