import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { stringify } from 'yaml';
import { until } from './live.ts';
import { freePort } from './ports.ts';

/** Why tests with Prometheus are skipped; false where it is installed. */
export const noPrometheus = process.env.TEST_PROMETHEUS ? false : 'no prometheus here';

/** A series of the answer to a query. */
export interface Series {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

/**
 * Starts Prometheus, which scrapes these addresses every second, until the test file ends. Must only be called where
 * `noPrometheus` is false.
 */
export async function startPrometheus(targets: string[], ruleFile: string) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const file = join(folder, 'prometheus.yaml');
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(
    file,
    stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [ruleFile],
      scrape_configs: [
        { job_name: 'platform', static_configs: [{ targets: targets.map((url) => new URL(url).host) }] },
      ],
    }),
  );
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=warn',
  ];
  const child = spawn(process.env.TEST_PROMETHEUS as string, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  after(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  async function ask(path: string, parameters: Record<string, string> = {}) {
    const answer = await fetch(`http://${address}${path}?${new URLSearchParams(parameters)}`);
    return answer.json() as Promise<{ status: string; error?: string; data: never }>;
  }
  await until(
    () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'Prometheus',
  );
  return {
    /** Returns the series that a query finds now. @throws when it is no query */
    async query(query: string): Promise<Series[]> {
      const { status, error, data } = await ask('/api/v1/query', { query });
      if (status !== 'success') throw new Error(`${query}: ${error}`);
      return (data as { result: Series[] }).result;
    },
    /** Returns the health of each rule, by the name of its alert. */
    async rules(): Promise<{ name: string; health: string; lastError?: string }[]> {
      const { data } = await ask('/api/v1/rules');
      return (data as { groups: { rules: { name: string; health: string }[] }[] }).groups.flatMap(
        ({ rules }) => rules,
      );
    },
  };
}
