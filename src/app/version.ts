import { readFileSync } from 'node:fs';
import type { Metric } from '../kernel/metric.ts';

/** Returns the current release, from `package.json`. */
export const platformVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;

/** Returns the metric `platform_build_info`, which identifies the running build. */
export function buildMetrics({ role, commit }: { role: string; commit: string }): Metric[] {
  const labels = { version: platformVersion(), commit, node: process.version, role };
  return [
    {
      name: 'platform_build_info',
      help: 'The running build; always 1',
      labels: Object.keys(labels),
      read: () => [{ labels, value: 1 }],
    },
  ];
}
