import { Socket } from 'node:net';
import pg from 'pg';
import { cachedFor } from '../concurrency/cached-for.ts';
import { isOutage } from '../outages.ts';
import { serverUrls } from './server-urls.ts';

const LOOK_TIMEOUT_MS = 2_000;
/** How long it is remembered which server is the primary, or that none is. */
const REMEMBERED_MS = 200;

/** The options of the driver that say where to connect. */
export interface ServerAddress {
  connectionString: string;
  /** Makes the socket of a connection; it connects to the primary among several servers. */
  stream?: () => Socket;
}

/**
 * Returns where to connect. Of several servers each new connection goes to the one that takes writes, so that connections
 * follow the primary after a failover.
 */
export function addressOf(url: string): ServerAddress {
  const urls = serverUrls(url);
  const [connectionString = url] = urls;
  if (urls.length === 1) return { connectionString };
  const find = cachedFor(REMEMBERED_MS, () => findPrimary(urls));
  return { connectionString, stream: () => new PrimarySocket(find) };
}

interface Place {
  host: string;
  port: number;
}

/** No server takes writes. The code makes it an outage, and one that a start waits for. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/** Asks all servers at once, and returns the first that takes writes. */
async function findPrimary(urls: string[]): Promise<Place> {
  try {
    return await Promise.any(urls.map(primaryAt));
  } catch (error) {
    const { errors } = error as AggregateError;
    // Such as a wrong password, which waiting does not mend.
    throw errors.find((one) => !isOutage(one)) ?? errors.find((one) => one instanceof NoPrimary) ?? errors[0];
  }
}

/** @throws NoPrimary when the server is a standby, and the driver's errors */
async function primaryAt(url: string): Promise<Place> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'platform-api primary',
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // reported by the query
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    if (rows[0].standby) throw new NoPrimary('no server of DATABASE_URL takes writes: all are standbys');
    return { host: client.host, port: client.port };
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** A socket that connects to the primary, whatever address the driver names. */
class PrimarySocket extends Socket {
  readonly #find: () => Promise<Place>;

  constructor(find: () => Promise<Place>) {
    super();
    this.#find = find;
  }

  override connect(): this {
    this.#find().then(
      ({ host, port }) => {
        if (this.destroyed) return; // the driver gave up meanwhile
        if (host.startsWith('/')) super.connect(`${host}/.s.PGSQL.${port}`);
        else super.connect(port, host);
      },
      (error) => this.destroy(error),
    );
    return this;
  }
}
