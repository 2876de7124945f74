import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface Forwarding {
  /**
   * Returns the address of a request's client: the nearest address that is not a trusted proxy, by the connection and
   * X-Forwarded-For. Empty if the connection is closed already.
   */
  addressOf(request: IncomingMessage): string;
  /** Checks a request whose address is determined by other means; see `onUntrusted`. */
  note(request: IncomingMessage): void;
}

/**
 * Determines the client addresses of requests that arrive through proxies.
 * @param trusted addresses and networks (CIDR) of the proxies whose X-Forwarded-For is trusted
 * @param onUntrusted called once, with the address of a sender whose X-Forwarded-For is not trusted: either a proxy
 * that was not configured, whose clients all share one address, or a client that forged the header
 */
export function forwarding(trusted: string[], onUntrusted: (address: string) => void): Forwarding {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, familyOf(address));
  let hasWarned = false;

  function note({ socket, headers }: IncomingMessage): void {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    hasWarned = true;
    onUntrusted(remoteAddress);
  }

  return {
    note,
    addressOf(request) {
      note(request);
      const peer = request.socket.remoteAddress ?? '';
      const header = String(request.headers['x-forwarded-for'] ?? '');
      const hops = header === '' ? [] : header.split(',').map((hop) => hop.trim());
      // Each proxy appends the address that it was called from.
      const chain = [peer, ...hops.reverse()];
      return chain.find((address) => !isTrusted(address)) ?? (chain.at(-1) as string);
    },
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
