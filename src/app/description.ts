import { assemblePlatform } from './assembly.ts';
import type { Config } from './config.ts';
import { closedInfrastructure } from './infrastructure.ts';

/** The descriptions of the API (OpenAPI) and of its live channel (AsyncAPI). */
export interface Descriptions {
  api: object;
  live: object;
}

/**
 * Returns the descriptions without a running platform: assembles the modules as for serving, but connects to nothing,
 * starts nothing and writes nothing.
 */
export function describePlatform(config: Config): Descriptions {
  // Some keys are derived from the secret, but none of them appears in the description.
  const complete = { ...config, databaseUrl: '', secretKey: 'no secret: only described' };
  const { gateway, operations, sections, outgoing, live } = assemblePlatform(
    complete,
    closedInfrastructure(),
    {
      publicUrl: () => config.publicUrl ?? '/',
    },
  );
  return { api: gateway.describe({ operations, sections, outgoing }), live: gateway.describeLive(live) };
}
