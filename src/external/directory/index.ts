import type { CircuitBoard } from '../../kernel/net/circuit-breaker.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { backofficeDirectory } from './backoffice.ts';
import type { CustomerDirectory } from './port.ts';
import type { DirectorySettings } from './settings.ts';

/** Returns the external customer directory, or undefined when our own database is the directory. */
export function customerDirectory(
  { source, backofficeUrl: baseUrl, backofficeApiKey: apiKey }: DirectorySettings,
  { clock, board }: { clock: Clock; board: CircuitBoard },
): CustomerDirectory | undefined {
  if (source !== 'backoffice' || !baseUrl || !apiKey) return undefined;
  return backofficeDirectory({ baseUrl, apiKey, clock, board });
}
