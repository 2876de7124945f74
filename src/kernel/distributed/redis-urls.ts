import { isDecodable } from '../text/percent-encoding.ts';

const MAX_SERVERS = 16;
const SCHEMES = ['redis://', 'rediss://', 'redis+cluster://', 'rediss+cluster://'];

const schemeOf = (url: string): string | undefined => SCHEMES.find((scheme) => url.startsWith(scheme));

export const isClusterUrl = (url: string): boolean => schemeOf(url)?.endsWith('+cluster://') ?? false;

/**
 * Splits the URL of Redis into one of each server that it names, which Redis' own clients understand:
 * `redis+cluster://user:password@a:6379,b:6379` becomes `redis://user:password@a:6379` and the same for `b`.
 * @throws an error whose message completes "REDIS_URL ..."
 */
export function redisUrls(url: string): string[] {
  const scheme = schemeOf(url);
  if (!scheme) throw new Error(`must begin with ${SCHEMES.slice(0, -1).join(', ')} or ${SCHEMES.at(-1)}`);
  const [, user = '', authority = '', rest = ''] =
    /^([^@/?#]*@)?([^/?#]*)(.*)$/s.exec(url.slice(scheme.length)) ?? [];
  const hosts = authority.split(',');
  const urls = hosts.map((host) => `${scheme.replace('+cluster', '')}${user}${host}${rest}`);
  if (!hosts.every((host) => host !== '') || !urls.every((one) => URL.canParse(one)))
    throw new Error('is not a URL');
  if (!isDecodable(user))
    throw new Error('has a user or password with a % that begins no encoded character: write %25');
  if (!isClusterUrl(url)) {
    if (urls.length > 1)
      throw new Error('names several servers: nodes of a cluster are named by redis+cluster://a:6379,b:6379');
    return urls;
  }
  if (urls.length > MAX_SERVERS) throw new Error(`names more than ${MAX_SERVERS} servers`);
  if (authority.includes('@')) throw new Error('has an @ in its user or password: write %40');
  const { pathname, searchParams } = new URL(urls[0] as string);
  if (!['', '/', '/0'].includes(pathname) || searchParams.has('db'))
    throw new Error('must not name a database: a cluster has one only');
  return urls;
}

/** The URL of another server that takes the same user, password and options. */
export function otherServer(url: string, host: string, port: number): string {
  const other = new URL(url);
  // The property "host" of a URL is read up to its second colon.
  other.hostname = host.includes(':') ? `[${host}]` : host;
  other.port = String(port);
  return other.href;
}
