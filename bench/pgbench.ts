import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Debian installs it beside the server, not on the PATH. */
function findPgbench(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const versions = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort().reverse()
    : [];
  const debian = versions.map((version) => join('/usr/lib/postgresql', version, 'bin/pgbench'));
  return [...onPath, ...debian].find((path) => existsSync(path));
}

export interface Pgbench {
  /** Runs its TPC-B-like script; returns transactions per second. */
  tpcB(protocol: 'simple' | 'prepared', seconds: number): number;
  /**
   * Runs transfers made by a function of the database: one transaction, two entries, two accounts. Returns transfers
   * per second.
   */
  ownWrites(seconds: number): number;
}

/** The writes of a transfer without its safeguards: no chain, no hashes, no outbox, no response. */
const OWN_WRITES = `
  create table account (id text collate "C" primary key, balance bigint not null, last_seq bigint not null)
    with (fillfactor = 50);
  create table transaction (id text collate "C" primary key, from_user_id text, to_user_id text, amount bigint not null,
    description text not null, metadata json not null, created_at timestamptz not null);
  create table entry (account_id text collate "C", seq bigint, transaction_id text not null, amount bigint not null,
    balance_before bigint not null, balance_after bigint not null, created_at timestamptz not null,
    primary key (account_id, seq));
  create sequence transaction_id;
  insert into account select lpad(to_hex(i), 24, '0'), 1000000000, 0 from generate_series(1, 1000) i;
  create function transfer(first integer, other integer) returns void language plpgsql as $$
  declare
    lesser text := lpad(to_hex(least(first, other)), 24, '0');
    greater text := lpad(to_hex(greatest(first, other)), 24, '0');
    change bigint := case when first < other then -1 else 1 end;
    made text := lpad(to_hex(nextval('transaction_id')), 24, '0');
  begin
    insert into transaction values (made, lesser, greater, 1, 'bench', '{}', now());
    with moved as (update account set balance = balance + change, last_seq = last_seq + 1 where id = lesser returning *)
      insert into entry select id, last_seq, made, change, balance - change, balance, now() from moved;
    with moved as (update account set balance = balance - change, last_seq = last_seq + 1 where id = greater returning *)
      insert into entry select id, last_seq, made, -change, balance + change, balance, now() from moved;
  end $$;`;
const SCRIPT = `\\set from random(1, 1000)
\\set to 1 + (:from + random(0, 998)) % 1000
select transfer(:from, :to);
`;

/** Prepares both scripts in an empty database; undefined if pgbench is not installed. */
export async function preparePgbench(databaseUrl: string): Promise<Pgbench | undefined> {
  const pgbench = findPgbench();
  if (!pgbench) return undefined;
  const run = (...args: string[]) =>
    execFileSync(pgbench, [...args, databaseUrl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(OWN_WRITES);
  await client.end();
  run('-i', '-s', '10', '-q');
  const tps = (seconds: number, ...args: string[]) =>
    Number(/tps = ([\d.]+)/.exec(run('-c', '8', '-j', '2', '-T', String(Math.ceil(seconds)), ...args))?.[1]);
  return {
    tpcB: (protocol, seconds) => tps(seconds, '-M', protocol),
    ownWrites: (seconds) => {
      const folder = mkdtempSync(join(tmpdir(), 'platform-pgbench-'));
      try {
        writeFileSync(join(folder, 'transfer.sql'), SCRIPT);
        return tps(seconds, '-n', '-M', 'prepared', '-f', join(folder, 'transfer.sql'));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
