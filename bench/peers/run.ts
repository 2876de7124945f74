// `npm run bench:peers [-- backends jobs chat]`: the same work by the platform and by programs that do it elsewhere, each in a process of
// its own with its own best settings, in turns. What can be installed from npm is installed first; of what Debian has,
// a part says what is missing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../src/embedded-postgres/cluster.ts';
import { backends } from './backends.ts';
import { chat } from './chat.ts';
import { installPeers } from './installed.ts';
import { jobs } from './jobs.ts';

const PARTS: Record<string, (cluster: Cluster, folder: string) => Promise<object[]>> = {
  backends,
  jobs,
  chat,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const parts = named.length > 0 ? named : Object.keys(PARTS);
if (parts.some((name) => name !== 'chat')) installPeers();
const folder = mkdtempSync(join(tmpdir(), 'platform-peers-'));
// Some peers cannot connect over a socket.
const settings = { listen_addresses: '127.0.0.1' };
const cluster = await startCluster({ folder: join(folder, 'postgres'), settings });
try {
  for (const name of parts) console.table(await PARTS[name]?.(cluster, folder));
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
