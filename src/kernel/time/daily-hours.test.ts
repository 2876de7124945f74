import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfHours } from './zones.ts';

const night = (zone: string) => ({ from: 22 * 60, to: 7 * 60 + 30, zone });
const end = (at: string, zone: string, hours: { from: number; to: number } = night(zone)) =>
  endOfHours(new Date(at), { ...hours, zone })?.toISOString();

test('the end of daily hours is exclusive, their beginning inclusive, in any zone', () => {
  assert.equal(end('2026-01-10T21:00:00Z', 'Europe/Berlin'), '2026-01-11T06:30:00.000Z');
  assert.equal(end('2026-01-10T20:59:59.999Z', 'Europe/Berlin'), undefined);
  assert.equal(end('2026-01-11T06:29:59.999Z', 'Europe/Berlin'), '2026-01-11T06:30:00.000Z');
  assert.equal(end('2026-01-11T06:30:00Z', 'Europe/Berlin'), undefined);
  assert.equal(end('2026-01-10T17:00:00Z', 'Asia/Kathmandu'), '2026-01-11T01:45:00.000Z');
  const noon = { from: 12 * 60, to: 13 * 60 };
  assert.equal(end('2026-01-10T12:00:00Z', 'UTC', noon), '2026-01-10T13:00:00.000Z');
  assert.equal(end('2026-01-10T13:00:00Z', 'UTC', noon), undefined);
});

test('daily hours end by the clocks of the zone when these change', () => {
  assert.equal(
    end('2026-03-28T22:00:00Z', 'Europe/Berlin'),
    '2026-03-29T05:30:00.000Z',
    'an hour is skipped',
  );
  assert.equal(
    end('2026-10-24T21:00:00Z', 'Europe/Berlin'),
    '2026-10-25T06:30:00.000Z',
    'an hour is repeated',
  );
  const early = { from: 60, to: 2 * 60 + 30 };
  assert.equal(
    end('2026-03-29T00:30:00Z', 'Europe/Berlin', early),
    '2026-03-29T01:00:00.000Z',
    '2:30 is skipped',
  );
  assert.equal(end('2026-10-24T23:30:00Z', 'Europe/Berlin', early), '2026-10-25T00:30:00.000Z');
  assert.equal(end('2026-10-25T01:10:00Z', 'Europe/Berlin', early), '2026-10-25T01:30:00.000Z', 'again');
});
