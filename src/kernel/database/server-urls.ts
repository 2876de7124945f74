import { accessSync, constants } from 'node:fs';

const MAX_SERVERS = 8;
const SCHEME = /^postgres(ql)?:\/\//;
/** Parameters that name files, which the driver reads when it connects. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Splits the URL of a database on several servers into one for each: `postgresql://a:5432,b:5433/platform`, or with sockets
 * `postgresql:///platform?host=/a,/b&port=5432,5433`. This is the form of PostgreSQL's own clients
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
 * @throws an error whose message completes "VARIABLE ..."
 */
export function serverUrls(url: string): string[] {
  const [, scheme, user = '', authority = '', rest = ''] =
    /^(\w+:\/\/)([^@/?#]*@)?([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined) throw new Error('is not a URL');
  if (!SCHEME.test(url)) throw new Error('must begin with postgresql://');
  const urls = authority.split(',').map((host) => `${scheme}${user}${host}${rest}`);
  if (!urls.every((one) => URL.canParse(one))) throw new Error('is not a URL');
  const all = urls.length > 1 ? urls : socketUrls(url);
  requireFiles(all[0] as string);
  if (all.length > MAX_SERVERS) throw new Error(`names more than ${MAX_SERVERS} servers`);
  return all;
}

function requireFiles(url: string): void {
  const { searchParams } = new URL(url);
  for (const name of FILES) {
    const file = searchParams.get(name);
    if (!file) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      throw new Error(
        `names ${name}=${file}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
  }
}

/** Splits the hosts and ports of the query. */
function socketUrls(url: string): string[] {
  const { searchParams } = new URL(url);
  const hosts = searchParams.get('host')?.split(',') ?? [];
  if (hosts.length < 2) return [url];
  const ports = searchParams.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new Error('must name one port, or one for each host');
  return hosts.map((host, place) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports[place] ?? ports[0];
    if (port !== undefined) one.searchParams.set('port', port);
    return one.href;
  });
}
