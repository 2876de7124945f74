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

test('days begin at midnight there, also when clocks change', () => {
  assert.equal(day('2027-03-10T12:00:00Z', 'UTC'), '2027-03-10T00:00:00.000Z');
  assert.equal(day('2027-03-10T23:30:00Z', 'Europe/Warsaw'), '2027-03-10T23:00:00.000Z');
  // In Warsaw clocks go forward on 28 March 2027, back on 31 October.
  assert.equal(day('2027-03-28T12:00:00Z', 'Europe/Warsaw'), '2027-03-27T23:00:00.000Z');
  assert.equal(day('2027-03-28T12:00:00Z', 'Europe/Warsaw', 1), '2027-03-28T22:00:00.000Z');
  assert.equal(day('2027-10-31T12:00:00Z', 'Europe/Warsaw', 1), '2027-10-31T23:00:00.000Z');
});

test('weeks begin on Monday', () => {
  for (const text of ['2027-03-08T00:00:00Z', '2027-03-10T12:00:00Z', '2027-03-14T23:59:59Z'])
    assert.equal(startOfWeek(new Date(text), 'UTC').toISOString(), '2027-03-08T00:00:00.000Z');
});

test('an instant lies within its day, and its local text means the same instant', () => {
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

test('names of zones', () => {
  for (const name of ['UTC', 'Europe/Warsaw', 'Etc/GMT+5']) assert.equal(isTimeZone(name), true);
  for (const name of ['', '+02:00', 'Mars/Olympus', '../etc']) assert.equal(isTimeZone(name), false);
});
