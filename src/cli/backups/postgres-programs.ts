import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { redactText } from '../../kernel/text/redaction.ts';

type Program = 'pg_dump' | 'pg_restore';

/** A program of PostgreSQL is missing, does not fit the server, or failed. */
class ProgramFault extends OperatorFault {
  override readonly name = 'ProgramFault';
}

/** Parameters of a connection URL, by the variable that PostgreSQL's programs read them from. */
const VARIABLES: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/**
 * Returns the environment by which PostgreSQL's programs reach a database. Unlike arguments, it cannot be seen by other
 * users of the machine. Of several servers they use the one that takes writes.
 */
export function connectionEnvironment(url: string): Record<string, string> {
  const [, , user = '', authority = '', path = '', query = ''] =
    /^(\w+:\/\/)([^@/?#]*@)?([^/?#]*)(\/[^?#]*)?(\?[^#]*)?/s.exec(url) ?? [];
  const [name = '', password] = user.replace(/@$/, '').split(/:(.*)/s);
  const servers = authority.split(',').map((one) => /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(one));
  const found: Record<string, string | undefined> = {
    PGUSER: decodeURIComponent(name),
    PGPASSWORD: password && decodeURIComponent(password),
    PGHOST: servers.map((one) => (one?.[1] ?? '').replace(/^\[|\]$/g, '')).join(','),
    PGPORT: servers.some((one) => one?.[2]) ? servers.map((one) => one?.[2] ?? '5432').join(',') : undefined,
    PGDATABASE: decodeURIComponent(path.slice(1)),
    PGTARGETSESSIONATTRS: 'read-write',
    PGAPPNAME: 'platform-api backup',
    PGTZ: 'UTC',
  };
  for (const [parameter, value] of new URLSearchParams(query)) {
    const variable = VARIABLES[parameter];
    if (variable) found[variable] = value;
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => !!entry[1]));
}

/**
 * Runs a program of PostgreSQL on a database.
 * @param serverMajor the major version of the server; the program must not be older
 * @throws ProgramFault with what it wrote
 */
export async function runPostgres(
  program: Program,
  args: string[],
  { url, serverMajor }: { url: string; serverMajor: number },
): Promise<void> {
  // Debian keeps the programs of each version in a folder of its own.
  const ofVersion = `/usr/lib/postgresql/${serverMajor}/bin/${program}`;
  const child = spawn(existsSync(ofVersion) ? ofVersion : program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...connectionEnvironment(url) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const missing = once(child, 'error').then(([error]) => Promise.reject(error));
  const advice = `Install postgresql-client-${serverMajor}, or a later one.`;
  try {
    const [[code], complaints] = await Promise.race([
      Promise.all([once(child, 'close'), text(child.stderr)]),
      missing,
    ]);
    if (code === 0) return;
    const isTooOld = /server version mismatch/.test(complaints);
    throw new ProgramFault(
      `${program} failed: ${redactText(complaints.trim())}${isTooOld ? `\n${advice}` : ''}`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ProgramFault(`${program} is not installed. ${advice}`);
    throw error;
  }
}
