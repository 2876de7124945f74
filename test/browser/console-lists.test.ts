// Lists of the console with many members: pages, Back, search, CSV files, and polling that pauses in hidden tabs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { createApiKey } from '../../sdk/src/index.ts';
import { newPage } from '../support/browser.ts';
import { browserOfFile, enter, openConsole, settled, signedInPage } from '../support/console-pages.ts';
import { until } from '../support/live.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
/** Far beyond what lists count exactly. How fast a million are listed is measured in bench/. */
const MEMBERS = 100_000;
const platform = await startPlatform();
const { url } = platform;
let page: Page;
let complaints: string[] = [];

/** Adds members, of whom the newest has the highest number. Their indexes are built afterwards, which is faster. */
async function addMembers(): Promise<void> {
  // A connection of its own, since the platform's connections limit the time of a statement.
  const client = new pg.Client(platform.databaseUrl);
  await client.connect();
  const { rows: indexes } = await client.query(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as made from pg_indexes
     where schemaname = 'identity' and tablename = 'user' and indexdef not like 'CREATE UNIQUE%'`,
  );
  await client.query(
    `begin;
     set local session_replication_role = replica;
     ${indexes.map(({ name }) => `drop index ${name};`).join('\n')}
     insert into identity."user" (id, email, username, first_name, last_name, permissions, created_at, updated_at)
       select lpad(to_hex(x'7fff0000'::bigint * 4294967296 + i), 24, 'f'), 'm' || i || '@example.net', 'm' || i,
         'Member', 'No' || i, '{}', now(), now() from generate_series(1, ${MEMBERS}) i;
     ${indexes.map(({ made }) => `${made};`).join('\n')}
     commit;
     analyze identity."user"`,
  );
  await client.end();
}

before(async () => {
  if (skip) return;
  await addMembers();
  ({ page, complaints } = await signedInPage(await opened(), url, ADMIN));
});

const firstName = () => page.getByRole('row').nth(1).getByRole('link').first().textContent();
const range = () =>
  page.getByRole('navigation', { name: 'Pages of the list' }).locator('span').first().textContent();
/** Waits until the list begins with this member. */
const begins = (number: number) =>
  until(async () => (await firstName()) === `Member No${number}`, `the list begins with ${number}`);

test('a list is paged by cursor, and Back, Newer and a reload show the same rows again', {
  skip,
}, async () => {
  await openConsole(page, url, '/members');
  await begins(MEMBERS);
  assert.equal(await range(), '1 to 25 of more than 10,000');
  for (const place of [1, 2]) {
    await page.getByRole('link', { name: 'Older' }).click();
    await begins(MEMBERS - 25 * place);
  }
  assert.match(page.url(), /[?&]before=/);
  assert.equal(await range(), '51 to 75 of more than 10,000');
  await page.goBack();
  await begins(MEMBERS - 25);
  await page.goForward();
  await begins(MEMBERS - 50);
  await page.reload();
  await begins(MEMBERS - 50);
  await page.goBack();
  await begins(MEMBERS - 25);
  await page.getByRole('link', { name: 'Newest' }).click();
  await begins(MEMBERS);
  assert.deepEqual(complaints, []);
});

test('changing a filter goes back to the first page, and typing adds a single history entry', {
  skip,
}, async () => {
  await openConsole(page, url, '/members');
  await page.getByRole('link', { name: 'Older' }).click();
  await begins(MEMBERS - 25);
  await page.getByLabel('State').selectOption('true');
  await begins(MEMBERS);
  assert.doesNotMatch(page.url(), /before=/);
  const search = page.getByRole('searchbox');
  await search.pressSequentially('m77777@', { delay: 20 });
  await begins(77_777);
  assert.equal(await page.getByRole('row').count(), 2);
  await page.goBack();
  await begins(MEMBERS - 25);
  await page.goBack();
  await begins(MEMBERS);
  assert.equal(await search.inputValue(), '');
});

test('the search finds one of many members by e-mail and by the beginning of a name', {
  skip,
}, async () => {
  for (const [text, found] of [
    ['m65432@example.net', 'Member No65432'],
    ['member no12345', 'Member No12345'],
  ] as const) {
    const option = page.getByRole('option').filter({ hasText: found }).first();
    // On a busy machine the statement may exceed its time limit, so the search is repeated.
    for (let tries = 0; tries < 5 && !(await option.isVisible()); tries++) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await option.waitFor({ timeout: 20_000 }).catch(() => page.keyboard.press('Escape'));
    }
    assert.ok(await option.isVisible(), text);
    await page.keyboard.press('Escape');
  }
});

/** Saves the list as a CSV file, and returns its lines without the byte order mark. */
async function saved(): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const text = readFileSync(await file.path(), 'utf8');
  assert.equal(text[0], '\ufeff');
  return text.slice(1).trim().split('\r\n');
}

test('a file has all rows of the filter, a column for each field, and no formula', { skip }, async () => {
  await openConsole(page, url, '/members?search=m7777');
  const [head = '', ...rows] = await saved();
  assert.match(head, /^"?id"?,/);
  // 7777, and the numbers that begin with it: 77770 to 77779.
  assert.equal(rows.length, 11);
  assert.ok(rows.some((row) => row.includes('m7777@example.net')));
  await platform.admin.call(createApiKey, {
    body: { name: '=HYPERLINK("https://example.org")', tier: 'crm' },
  });
  await openConsole(page, url, '/keys');
  const keys = await saved();
  assert.match(keys[0] ?? '', /"name"/);
  assert.ok(keys.some((row) => row.includes(`"'=HYPERLINK(""https://example.org"")"`)));
});

test('a hidden page does not poll, and reloads once it is visible again', { skip }, async () => {
  const hidden = await newPage(await opened(), [1280, 800]);
  await hidden.clock.install();
  await hidden.goto(`${url}/console/jobs`);
  await enter(hidden, ADMIN);
  await hidden.getByRole('heading', { level: 1 }).waitFor();
  await settled(hidden);
  let requests = 0;
  hidden.on('request', (request) => {
    if (request.url().includes('/console/api/')) requests++;
  });
  const see = (isHidden: boolean) =>
    hidden.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await hidden.clock.runFor(16_000);
  await until(() => requests > 0, 'the page reads by itself');
  await settled(hidden);
  await see(true);
  const before = requests;
  for (let minute = 0; minute < 5; minute++) await hidden.clock.runFor(60_000);
  assert.equal(requests, before);
  await see(false);
  await until(() => requests > before, 'it is read again');
  await hidden.context().close();
});
