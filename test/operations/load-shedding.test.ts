// What a busy process and an outage write to the log: a line a second and the number of the others, not a line each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { paymentUnavailable } from '../../src/external/payment/port.ts';
import { failureAnswers } from '../../src/gateway/http/failures.ts';
import type { ErrorReport } from '../../src/gateway/reports/error-reports.model.ts';
import type { ErrorReports } from '../../src/gateway/reports/error-reports.ts';
import { serviceUnavailable } from '../../src/kernel/failures.ts';
import { manualClock } from '../../src/kernel/time/time.ts';

/** A line of the log about a failure. */
interface LogLine {
  level: number;
  operation?: string;
  leftOut?: number;
  errorCode?: string;
  err?: { message: string };
}

/** Answers failures of one operation, of which three reports of each kind are stored. */
function answering() {
  const lines: LogLine[] = [];
  const stored: ErrorReport[] = [];
  const shed: string[] = [];
  const clock = manualClock(1_800_000_000_000);
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const floods = new Map<string | undefined, number>();
  const wants: ErrorReports['wants'] = (flood) => {
    const count = (floods.get(flood?.key) ?? 0) + 1;
    floods.set(flood?.key, count);
    return count <= 3;
  };
  const reports: Partial<ErrorReports> = { wants, add: (one) => void stored.push(one) };
  const onShed = (operation: string) => void shed.push(operation);
  const answers = failureAnswers({
    reports: reports as ErrorReports,
    log,
    clock,
    isProduction: true,
    counts: { refused: () => undefined, shed: onShed },
  });
  const request = {
    method: 'GET',
    url: '/v1/x',
    id: 'req_1',
    headers: {},
    raw: { complete: true },
    routeOptions: { config: { operation: { id: 'getX', tag: 'X' } } },
  } as unknown as FastifyRequest;
  const reply = {
    header: () => reply,
    code: () => reply,
    serializer: () => reply,
    send: () => reply,
  } as unknown as FastifyReply;
  const fail = (thrown: Error) => answers.send(thrown, request, reply);
  return { fail, lines, stored, shed, clock };
}

test('refusals of a busy process are warnings, one a second, and counted', () => {
  const { fail, lines, stored, shed, clock } = answering();
  for (let count = 0; count < 1_000; count++) fail(serviceUnavailable());
  clock.advance(1_000);
  fail(serviceUnavailable());
  assert.deepEqual(
    lines.map(({ level, operation, leftOut }) => [level, operation, leftOut]),
    [
      [40, 'getX', 0],
      [40, 'getX', 999],
    ],
  );
  assert.equal(shed.length, 1_001);
  assert.deepEqual(
    stored.map(({ severity }) => severity),
    ['medium', 'medium', 'medium'],
  );
});

test('an outage stays an error, and has a line a second, too', () => {
  const { fail, lines, stored, shed } = answering();
  for (let count = 0; count < 100; count++) fail(serviceUnavailable(new Error('the database is away')));
  fail(serviceUnavailable());
  assert.deepEqual(
    lines.map(({ level, err }) => [level, err?.message]),
    [
      [50, 'the database is away'],
      [40, undefined],
    ],
  );
  assert.deepEqual([stored[0]?.severity, shed.length], ['critical', 1]);
});

test('an external system that is unavailable is an error, and no refusal of a busy process', () => {
  const { fail, lines, stored, shed } = answering();
  fail(paymentUnavailable());
  assert.deepEqual(
    lines.map(({ level, errorCode }) => [level, errorCode]),
    [[50, 'PAYMENT_UNAVAILABLE']],
  );
  assert.deepEqual([stored[0]?.severity, shed], ['critical', []]);
});

test('refusals of a busy process hide no outage, and an outage hides no other', () => {
  const { fail, lines, stored } = answering();
  for (let count = 0; count < 10; count++) fail(serviceUnavailable());
  fail(serviceUnavailable(new Error('the database is away')));
  fail(paymentUnavailable());
  assert.deepEqual(
    lines.map(({ level, errorCode }) => [level, errorCode]),
    [
      [40, 'SERVICE_UNAVAILABLE'],
      [50, 'SERVICE_UNAVAILABLE'],
      [50, 'PAYMENT_UNAVAILABLE'],
    ],
  );
  assert.deepEqual(
    stored.map(({ severity }) => severity),
    ['medium', 'medium', 'medium', 'critical', 'critical'],
  );
});
