import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Tool {
  /** Programs that will do, the first found is taken. */
  programs: string[];
  /** Debian's package. */
  package: string;
  /** How the tests learn where it is. */
  variable: string;
  needs: string;
}

const TOOLS: Tool[] = [
  {
    programs: ['redis-server', 'valkey-server'],
    package: 'redis-server',
    variable: 'TEST_REDIS_SERVER',
    needs: 'the Redis cache and bus',
  },
  {
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium-headless-shell',
    variable: 'TEST_CHROMIUM',
    needs: 'what needs a browser',
  },
  {
    programs: ['ffmpeg'],
    package: 'ffmpeg',
    variable: 'TEST_FFMPEG',
    needs: 'videos',
  },
  {
    programs: ['pgbouncer'],
    package: 'pgbouncer',
    variable: 'TEST_PGBOUNCER',
    needs: 'PgBouncer in front of PostgreSQL',
  },
  {
    programs: ['oathtool'],
    package: 'oathtool',
    variable: 'TEST_OATHTOOL',
    needs: 'an independent authenticator',
  },
  {
    programs: ['haproxy'],
    package: 'haproxy',
    variable: 'TEST_HAPROXY',
    needs: 'a fleet behind a balancer',
  },
  {
    programs: ['nginx'],
    package: 'nginx',
    variable: 'TEST_NGINX',
    needs: 'a fleet behind nginx',
  },
  {
    programs: ['prometheus'],
    package: 'prometheus',
    variable: 'TEST_PROMETHEUS',
    needs: 'alerts and dashboards',
  },
  {
    programs: ['promtool'],
    package: 'prometheus',
    variable: 'TEST_PROMTOOL',
    needs: 'the rules of alerts',
  },
];

const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin', '/usr/sbin'];

const find = (programs: string[]): string | undefined =>
  programs
    .flatMap((program) => FOLDERS.map((folder) => join(folder, program)))
    .find((path) => existsSync(path));

/** Returns the path of the tool by its variable, if it is installed. */
export const findTool = (variable: string): string | undefined =>
  find(TOOLS.find((tool) => tool.variable === variable)?.programs ?? []);

/**
 * What tests need beyond npm: found, or as root on Debian installed; else said loudly, and the tests of it skip.
 * Answers the environment variables by which tests find them.
 */
export function provideTools(): Record<string, string> {
  const missing = TOOLS.filter(
    ({ programs, package: name }) =>
      !find(programs) && !(name === 'ffmpeg' && process.env.FFMPEG_INSTALL === 'off'),
  );
  if (missing.length > 0 && process.getuid?.() === 0 && find(['apt-get'])) {
    const packages = missing.map((tool) => tool.package);
    console.error(`Installing ${packages.join(' and ')} for the tests ...`);
    const apt = (args: string[]) =>
      spawnSync('apt-get', [...args, '-qq', '-y', '-o', 'Dpkg::Use-Pty=0'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt(['update']);
    apt(['install', '--no-install-recommends', ...packages]);
  }
  const provided: Record<string, string> = {};
  for (const { programs, variable, needs, package: name } of TOOLS) {
    const path = find(programs);
    if (path) provided[variable] = path;
    else
      console.error(
        `\n*** ${name} is not here and can't be installed: the tests of ${needs} are SKIPPED ***\n`,
      );
  }
  return provided;
}
