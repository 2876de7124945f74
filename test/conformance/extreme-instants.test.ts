import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();

/** What clients send to mean "ever", and what a zone moves out of the years of four digits. */
const EXTREMES = [
  '0000-01-01',
  '0001-01-01',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31',
  '9999-12-31T23:59:59.999-12:00',
];

const instantsOf = (query: object | undefined): string[] =>
  Object.entries(
    (query as { properties?: Record<string, { format?: string }> } | undefined)?.properties ?? {},
  )
    .filter(([, { format }]) => format === 'instant')
    .map(([name]) => name);

test('the first and the last day of the calendar are answered wherever a date is accepted', async () => {
  let asked = 0;
  for (const { method, path, query } of platform.platform.operations) {
    if (method !== 'GET') continue;
    const url = path.replace(/:\w+/g, platform.adminId);
    for (const name of instantsOf(query))
      for (const extreme of EXTREMES) {
        asked++;
        const where = `${url}?${name}=${encodeURIComponent(extreme)}`;
        const answer = await fetch(platform.url + where, { headers: platform.admin.headers });
        const text = await answer.text();
        assert.ok(answer.status < 500, `${where}: ${text}`);
        assert.doesNotMatch(text, /"[+-]0\d{5}-/, where);
      }
  }
  assert.ok(asked > 100, `${asked} requests`);
});
