import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Report } from '../../conformance/src/run.ts';
import { newDatabase } from '../support/databases.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-kit-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the kit against an installation, and returns its report. */
async function reportOf(url: string, ...more: string[]): Promise<Report> {
  const args = ['conformance/src/main.ts', '--url', url, '--admin-key', PRODUCTION.API_KEY, '--json', '-'];
  const { code, output, complaints } = await runProgram([...args, ...more], {});
  assert.equal(complaints, '');
  const report = JSON.parse(output) as Report;
  const failed = report.cases.filter(({ outcome }) => outcome === 'failed');
  assert.deepEqual([failed, code], [[], 0]);
  return report;
}

test('the kit passes in production without external systems, and reports the cases it cannot judge', async () => {
  const environment = { ...PRODUCTION, VERIFIED_EMAIL: 'money', DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const server = await startProgram(['src/main.js', 'start'], environment);
  after(() => server.end('SIGKILL'));
  const url = server.readyValues.url as string;

  const whole = await reportOf(url, '--internal-key', PRODUCTION.INTERNAL_API_KEY);
  assert.ok(whole.totals.assertions >= 1000, `${whole.totals.assertions}`);
  assert.deepEqual(whole.left, []);
  const skipped = new Map(whole.cases.map(({ id, reason }) => [id, reason]));
  assert.match(
    skipped.get('wallet/a-withdrawal-holds-its-keys-until-it-ends-and-a-cancelled-one-gives-them-back') ?? '',
    /verified address/,
  );
  assert.match(skipped.get('indicators/the-webhook-of-activity-never-guesses') ?? '', /--webhook-secret/);

  const keyAlone = await reportOf(url, '--only', 'wallet', '--only', 'chat');
  const reasons = keyAlone.cases.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason);
  assert.ok(
    reasons.some((reason) => /--admin-email and --admin-password, or --internal-key/.test(reason ?? '')),
  );
  assert.ok(keyAlone.totals.passed > 5);
  assert.equal(await server.end('SIGTERM'), 0);
});
