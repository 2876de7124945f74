// `npm run bench:plans-wallet`: the generic plans of the statements over the history of a wallet with a million
// entries, as the server makes them for prepared statements, without knowledge of the values.
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { STATEMENT_DECLARED } from '../src/kernel/database/queries.ts';
import { giveMillion } from './million.ts';

const USER = 'a'.repeat(24);
const ACCOUNT = 'b'.repeat(24);
const ASKED: Record<string, string> = {
  'wallet.history': `'wallet:${USER}', 500000, 50`,
  'wallet.history-page': `'${ACCOUNT}', 0, 500000, true, false, 50`,
  'wallet.history-transfer-at': `'${ACCOUNT}', 1000, 999000, 400000`,
  'wallet.history-range-of-type': `'${ACCOUNT}', 'withdrawal', 1000, 999000`,
  // The transaction with the number 500,000.
  'wallet.history-seq-of-transaction': `'wallet:${USER}', 'e0000000000000000007a120'`,
  'wallet.history-of-type': `'${ACCOUNT}', 'fund', 0, 50000, 50`,
  'wallet.history-unfinished': `'${ACCOUNT}', 0, 1000000, 0`,
  'wallet.history-with-status': `'${ACCOUNT}', 0, 1000000, 'completed', 50, 0`,
  'wallet.statistics': `'${ACCOUNT}', 1000, 999000`,
  'wallet.read-accounts': `'{wallet:${USER}}'`,
  // Writes nothing, because all its arrays are empty.
  'wallet.write-at-once': Array.from({ length: 27 }, (_, place) => (place === 8 ? 'now()' : `'{}'`)).join(),
};

const texts = new Map<string, string>();
diagnostics.subscribe(STATEMENT_DECLARED, (message) => {
  const { name, text } = message as { name: string; text: string };
  texts.set(name, text);
});
// Imported late, because statements are declared when their modules are loaded.
await import('../src/app/modules.ts');
const { migratePlatform } = await import('../src/app/schema.ts');

const folder = mkdtempSync(join(tmpdir(), 'platform-plans-'));
const cluster = await startCluster({ folder, settings: { fsync: 'off', max_wal_size: '8GB' } });
try {
  await cluster.createDatabase('platform');
  const url = cluster.urlOf('platform');
  await migratePlatform(url);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // if a statement fails, the server ends before the client
  await client.connect();
  await client.query(
    `insert into wallet.account (id, kind, user_id, created_at, updated_at)
     select lpad(to_hex(i), 24, '0'), 'wallet', lpad(to_hex(i), 24, '0'), now(), now() from generate_series(1001, 2000) i
     union all select '${ACCOUNT}', 'wallet', '${USER}', now(), now()`,
  );
  await giveMillion(url, USER);
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const [name, values] of Object.entries(ASKED)) {
    await client.query(`prepare asked as ${texts.get(name)}`);
    // The first run loads what the functions need.
    for (let time = 1; time <= 2; time++) {
      const { rows } = await client.query(
        `explain (analyze, costs off, buffers off) execute asked (${values})`,
      );
      if (time === 2) console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
    }
    await client.query('deallocate asked');
  }
  await client.end();
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
