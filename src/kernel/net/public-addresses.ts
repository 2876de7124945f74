import { lookup as resolve } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks that are not the public internet, of IPv4 (RFC 6890), and an address of metadata that is not among them. */
const PRIVATE_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...[
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
  ],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
];
/** Within 2000::/3, which is all of IPv6 that is public. */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (networks: string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

export type Reach = 'public' | 'loopback' | 'private';

/** Returns the judge of addresses, in every spelling: IPv4 within IPv6 is judged as IPv4. */
function addressJudge(): (address: string) => Reach {
  const v4 = listOf(PRIVATE_V4, 'ipv4');
  const loopback = listOf(['127.0.0.0/8'], 'ipv4');
  const v6 = listOf(PRIVATE_V6, 'ipv6');
  const global = listOf(['2000::/3'], 'ipv6');
  const ofV4 = (address: string): Reach => {
    if (loopback.check(address, 'ipv4')) return 'loopback';
    return v4.check(address, 'ipv4') ? 'private' : 'public';
  };
  return (address) => {
    const [bare = ''] = address.split('%', 1);
    if (!isIPv6(bare)) return isIP(bare) === 4 ? ofV4(bare) : 'private';
    // The parser of URLs writes every spelling of an address the same way.
    const words = new URL(`http://[${bare}]`).hostname.slice(1, -1);
    if (words === '::1') return 'loopback';
    const embedded = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(words);
    if (embedded) {
      const [high, low] = [embedded[1] ?? '0', embedded[2] as string].map((word) =>
        Number.parseInt(word, 16),
      );
      return ofV4([high, low].flatMap((word = 0) => [word >> 8, word & 0xff]).join('.'));
    }
    return global.check(words, 'ipv6') && !v6.check(words, 'ipv6') ? 'public' : 'private';
  };
}

export interface Resolved {
  address: string;
  family: number;
}

/** A name resolves to an address that must not be called. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/**
 * Resolves names to addresses that may be called. One that may not refuses the name, whatever other addresses it has.
 * @throws ForbiddenAddress, and the fault of the resolver
 */
export function publicResolver({
  allowsLoopback,
  lookup = resolve,
}: {
  allowsLoopback: boolean;
  lookup?: (host: string, options: { all: true }) => Promise<Resolved[]>;
}) {
  const judge = addressJudge();
  const isAllowed = (address: string): boolean => {
    const reach = judge(address);
    return reach === 'public' || (reach === 'loopback' && allowsLoopback);
  };
  return {
    isAllowed,
    async resolve(host: string): Promise<Resolved[]> {
      const bare = host.replace(/^\[(.*)\]$/, '$1');
      const found = isIP(bare) ? [{ address: bare, family: isIP(bare) }] : await lookup(bare, { all: true });
      if (found.length === 0 || !found.every(({ address }) => isAllowed(address)))
        throw new ForbiddenAddress(`${host} is not a public address`);
      return found;
    },
  };
}

export type PublicResolver = ReturnType<typeof publicResolver>;
