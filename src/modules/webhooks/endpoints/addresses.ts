import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, validationFailed } from '../../../kernel/failures.ts';
import { ForbiddenAddress, type PublicResolver } from '../../../kernel/net/public-addresses.ts';

/** How long saving an endpoint waits for the resolver. Each attempt of a delivery resolves the name again. */
const RESOLVE_MS = 2_000;

const refused = (message: string): Failure => validationFailed([{ field: 'url', message }]);

/** @throws 422 */
function parsed(given: string, isProduction: boolean): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const protocols = isProduction ? ['https:'] : ['https:', 'http:'];
  if (!url || !protocols.includes(url.protocol))
    throw refused(isProduction ? 'must be an https address' : 'must be an https or http address');
  if (url.username !== '' || url.password !== '') throw refused('must not contain credentials');
  if (given.includes('#')) throw refused('must not have a fragment');
  if (url.href.length > 2_048) throw refused('must have at most 2048 characters');
  return url;
}

/** Returns the check of the addresses that endpoints may have. */
export const addressCheck =
  (resolver: PublicResolver, isProduction: boolean) =>
  /**
   * Returns the address in the canonical form of the URL parser. A name that does not resolve is accepted here,
   * because each attempt checks the address again.
   * @throws 422
   */
  async (given: string): Promise<string> => {
    const url = parsed(given, isProduction);
    try {
      await Promise.race([resolver.resolve(url.hostname), sleep(RESOLVE_MS, undefined, { ref: false })]);
    } catch (error) {
      if (error instanceof ForbiddenAddress) throw refused('must be the address of a public host');
    }
    return url.href;
  };

export type AddressCheck = ReturnType<typeof addressCheck>;
