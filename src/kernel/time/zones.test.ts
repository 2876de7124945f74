import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTimeZone, localText, startOfDay, startOfWeek } from './zones.ts';

const ZONES = [
  'UTC',
  'Europe/Warsaw',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/St_Johns',
];
const day = (text: string, zone: string, later = 0) => startOfDay(new Date(text), zone, later).toISOString();

test('days begin at local midnight, also when clocks change', () => {
  assert.equal(day('2027-03-10T12:00:00Z', 'UTC'), '2027-03-10T00:00:00.000Z');
  assert.equal(day('2027-03-10T23:30:00Z', 'Europe/Warsaw'), '2027-03-10T23:00:00.000Z');
  // In Warsaw clocks go forward on 28 March 2027, back on 31 October.
  assert.equal(day('2027-03-28T12:00:00Z', 'Europe/Warsaw'), '2027-03-27T23:00:00.000Z');
  assert.equal(day('2027-03-28T12:00:00Z', 'Europe/Warsaw', 1), '2027-03-28T22:00:00.000Z');
  assert.equal(day('2027-10-31T12:00:00Z', 'Europe/Warsaw', 1), '2027-10-31T23:00:00.000Z');
});

test('a day whose midnight is skipped begins with its first instant', () => {
  const cases: [zone: string, date: string, first: string][] = [
    // Clocks go forward at midnight: the day begins at one.
    ['America/Havana', '2027-03-14', '2027-03-14T05:00:00.000Z'],
    ['America/Santiago', '2027-09-05', '2027-09-05T04:00:00.000Z'],
    ['Atlantic/Azores', '2027-03-28', '2027-03-28T01:00:00.000Z'],
    ['Africa/Cairo', '2027-04-30', '2027-04-29T22:00:00.000Z'],
    ['Asia/Beirut', '2027-03-28', '2027-03-27T22:00:00.000Z'],
    // They go back at one to midnight, or at midnight to eleven.
    ['America/Havana', '2027-11-07', '2027-11-07T04:00:00.000Z'],
    ['America/Santiago', '2027-04-04', '2027-04-04T04:00:00.000Z'],
    ['Atlantic/Azores', '2027-10-31', '2027-10-31T00:00:00.000Z'],
    // Samoa skipped 30 December 2011: that day ends when it begins.
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ];
  for (const [zone, date, first] of cases) {
    assert.equal(day(`${date}T09:00:00Z`, zone), first, `${zone} ${date}`);
    assert.equal(day(`${date}T09:00:00Z`, zone, -1) <= first, true);
  }
  assert.equal(day('2011-12-29T16:00:00Z', 'Pacific/Apia', 1), '2011-12-30T10:00:00.000Z');
});

test('in every time zone days begin with their first instant, at all clock changes of a decade', () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const end = Date.parse('2034-01-01');
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    // Computed independently of the code under test.
    const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
    const check = (atMs: number) => {
      const first = startOfDay(new Date(atMs), timeZone).getTime();
      const wanted = date.format(atMs);
      const what = `${timeZone} ${wanted}`;
      assert.equal(date.format(first), wanted, what);
      for (const earlierMs of [1, HOUR_MS / 2, HOUR_MS, 3 * HOUR_MS])
        assert.ok(date.format(first - earlierMs) < wanted, what);
      assert.ok(first <= atMs && atMs < startOfDay(new Date(atMs), timeZone, 1).getTime(), what);
    };
    let shown = '';
    for (let atMs = Date.parse('2024-01-01T12:34:00Z'); atMs < end; atMs += 7 * DAY_MS) {
      const now = clock.format(atMs);
      if (now !== shown) for (let days = 0; days < 8; days++) check(atMs - days * DAY_MS);
      shown = now;
    }
  }
});

test('weeks begin on Monday', () => {
  for (const text of ['2027-03-08T00:00:00Z', '2027-03-10T12:00:00Z', '2027-03-14T23:59:59Z'])
    assert.equal(startOfWeek(new Date(text), 'UTC').toISOString(), '2027-03-08T00:00:00.000Z');
});

test('an instant lies within its local day, and its local text parses to the same instant', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.constantFrom(...ZONES),
      (at, zone) => {
        assert.ok(startOfDay(at, zone) <= at && at < startOfDay(at, zone, 1));
        assert.match(localText(startOfDay(at, zone), zone), /T00:00:00[+-]/);
        assert.equal(Date.parse(localText(at, zone)), Math.floor(at.getTime() / 1000) * 1000);
      },
    ),
  );
});

test('known time zones are accepted and unknown names rejected', () => {
  for (const name of ['UTC', 'Europe/Warsaw', 'Etc/GMT+5']) assert.equal(isTimeZone(name), true);
  for (const name of ['', '+02:00', 'Mars/Olympus', '../etc']) assert.equal(isTimeZone(name), false);
});
