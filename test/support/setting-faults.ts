import { readConfig } from '../../src/app/config.ts';

/** Returns the message that lists the faults of these settings, or `none`. */
export function faultsOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}
