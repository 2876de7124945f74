// `npm run monitoring`: writes what follows from the metrics: alerts, dashboards, runbooks, and the table of the guide.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { monitoringFiles } from './monitoring-files.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
for (const [path, text] of monitoringFiles(read)) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
