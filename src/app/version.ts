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
      help: 'The running build, as labels; always 1',
      scope: 'process',
      group: 'Processes',
      labels: Object.keys(labels),
      read: () => [{ labels, value: 1 }],
      alerts: [
        {
          name: 'VersionsDiffer',
          query: 'count(count by (version, commit) (platform_build_info))',
          condition: '> 1',
          minutes: 60,
          severity: 'ticket',
          means: 'Processes of different releases have been running beside each other for an hour.',
          steps: ['Finish the roll-out, or undo it.'],
        },
      ],
    },
  ];
}
