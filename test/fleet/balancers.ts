// The balancers of `deploy/`, with addresses of this machine.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';

const deploy = new URL('../../deploy/', import.meta.url);

export interface Balancer {
  name: string;
  /** Its address. */
  url: string;
  stop(): void;
}

/** Starts haproxy by the configuration of the compose file. */
export async function startHaproxy(folder: string, ports: string[]): Promise<Balancer> {
  const port = await freePort();
  const servers = ports.map((one, place) => `server api${place} 127.0.0.1:${one}`).join('\n  ');
  const config = readFileSync(new URL('haproxy.cfg', deploy), 'utf8')
    .replace(/^resolvers containers\n( {2}.*\n)+/m, '')
    .replace(' resolvers containers init-addr none', '')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replace('/usr/local/etc/haproxy/unavailable.http', new URL('unavailable.http', deploy).pathname)
    .replace(/server-template .*/, servers);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  return await start('haproxy', port, [process.env.TEST_HAPROXY as string, '-f', file]);
}

/** Starts nginx by its configuration. */
export async function startNginx(folder: string, ports: string[]): Promise<Balancer> {
  const port = await freePort();
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=3 fail_timeout=1s;`).join('\n    ');
  const config = readFileSync(new URL('nginx.conf', deploy), 'utf8')
    .replace('listen 3000;', `listen 127.0.0.1:${port};`)
    .replace(/( *server 10\.0\.0\.\d+:3000 .*;\n)+/, `    ${servers}\n`);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);
  const program = process.env.TEST_NGINX as string;
  const directives = `daemon off; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'nginx.log')};`;
  return await start('nginx', port, [program, '-p', folder, '-c', file, '-g', directives]);
}

async function start(name: string, port: string, [command, ...args]: string[]): Promise<Balancer> {
  const balancer = spawn(command as string, args, { stdio: 'ignore' });
  // SIGKILL would leave the processes that nginx has started.
  process.once('exit', () => balancer.kill('SIGTERM'));
  balancer.unref();
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.status === 200;
  }, name);
  return { name, url, stop: () => void balancer.kill('SIGTERM') };
}
