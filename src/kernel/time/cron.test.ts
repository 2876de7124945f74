import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRunOf } from './cron.ts';

const AT = new Date('2026-11-23T11:07:30.000Z'); // a Monday

test('the next run of a schedule is the first minute after the instant that fits all of its fields', () => {
  const cases: [string, string | undefined][] = [
    ['* * * * *', '2026-11-23T11:08'],
    ['*/10 * * * *', '2026-11-23T11:10'],
    ['7 11 * * *', '2026-11-24T11:07'],
    ['17 3 * * *', '2026-11-24T03:17'],
    ['0 0 29 2 *', '2028-02-29T00:00'],
    ['30 9-17 * * 1-5', '2026-11-23T11:30'],
    ['0 12 * * 0', '2026-11-29T12:00'],
    ['0 12 * * 7', '2026-11-29T12:00'],
    ['0 12 1 * 3', '2026-11-25T12:00'],
    ['5,50 10,11 23 11 *', '2026-11-23T11:50'],
    ['0 0 31 2 *', undefined],
  ];
  for (const [cron, expected] of cases)
    assert.equal(nextRunOf(cron, AT)?.toISOString(), expected && `${expected}:00.000Z`, cron);
});
