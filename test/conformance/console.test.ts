// The console covers the operations of administrators, and stays small.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundleConsole } from '../../console/build.ts';
import { administrators } from '../../sdk/src/generated/administrators.ts';
import { audienceOf, descriptions } from '../support/descriptions.ts';

const source = globSync('console/src/**/*.{ts,tsx}')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** The operations of administrators that the console leaves out, and why. */
const LEFT_OUT: Record<string, string> = {
  getAccessOfUser: 'a part of the overview of a member',
  getUser: 'a part of the overview of a member',
  listEventTypes: 'events are chosen by name',
  listReports: 'the page lists what is reported, each with all its reports',
  listIndicatorAccessFailures: 'the list of the grants of all indicators filters them',
  getPermissionDistributionAsAdmin: 'the filter by permission of the members says how many there are',
  issueFundingKey: 'for programs that fund wallets; the console funds them itself',
  recordBackup: 'for the job that takes backups; the console shows the newest',
  presignProductImage: 'pictures of products are uploaded by the shop',
};

/** Returns the ids of the operations that the console calls: by their names, or by methods of the SDK. */
function calledByConsole(): Set<string> {
  const called = new Set(source.match(/\b[a-z][A-Za-z]+\b/g));
  for (const [group, methods] of Object.entries(administrators))
    for (const [method, [{ id }]] of Object.entries(methods))
      if (source.includes(`.${group}.${method}(`)) called.add(id);
  return called;
}

test('the console uses every operation of administrators, or says why not', () => {
  const called = calledByConsole();
  const operations = Object.values(descriptions().api.paths)
    .flatMap((path) => Object.values(path))
    .filter(
      (operation) =>
        audienceOf(operation).join() === 'administrator' && !operation.operationId.endsWith('Deprecated'),
    )
    .map(({ operationId }) => operationId);
  assert.ok(operations.length > 40);
  const missing = operations.filter((id) => !called.has(id) && !LEFT_OUT[id]);
  assert.deepEqual(missing, []);
  assert.deepEqual(
    Object.keys(LEFT_OUT).filter((id) => called.has(id)),
    [],
  );
});

test('the first page loads at most 60 KB compressed, and all pages together at most 200 KB', async () => {
  const files = await bundleConsole();
  const sizes = [...files].map(([name, bytes]) => ({ name, bytes: gzipSync(bytes).length }));
  const index = Buffer.from(files.get('index.html') ?? '').toString();
  // Static imports of the entry are loaded with it; pages are loaded when they are opened.
  const first = new Set(index.match(/(?<=assets\/)[\w.-]+/g));
  for (const name of first) {
    const text = Buffer.from(files.get(name) ?? '').toString();
    for (const [, other = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) first.add(other);
  }
  const sum = (names: typeof sizes) => names.reduce((total, { bytes }) => total + bytes, 0);
  const early = sum(sizes.filter(({ name }) => name === 'index.html' || first.has(name)));
  assert.ok(early <= 60 * 1024, `${early} bytes at first: ${[...first].join(', ')}`);
  assert.ok(sum(sizes) <= 200 * 1024, `${sum(sizes)} bytes in all`);
});
