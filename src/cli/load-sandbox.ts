import { ConfigurationFault } from '../app/config.ts';

/**
 * Loads the sandbox of external systems. Only this function does, so that production neither loads it nor needs its
 * dependencies.
 */
export async function loadSandbox() {
  try {
    return { ...(await import('../sandbox/index.ts')), ...(await import('../sandbox/settings.ts')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigurationFault(
      'The local stand-ins of external systems need the development dependencies: run `npm ci` without --omit=dev, or set ENVIRONMENT=production',
    );
  }
}
