// Frequent queries read only a few pages of the tables, however large these are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Query } from '../../kernel/database/queries.ts';
import { deliveryStore } from './deliveries/deliveries.store.ts';
import { eventLogStore } from './events/event-log.store.ts';
import { sendingStore } from './sending/sending.store.ts';

const { database } = await startPlatform({ ROLE: 'api' });
const KEPT = 60_000;
/**
 * The tables have 60,000 rows in some 900 pages; these limits allow a few look-ups in indexes and the rows found.
 */
const FEW_PAGES = 150;

type Asked = [query: Query<object>, values?: unknown[]];
interface Explained {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

/** Returns how many pages each statement that a call makes reads. */
async function pagesOf(call: (recording: Database) => unknown): Promise<number[]> {
  const asked: Asked[] = [];
  const record =
    (answer: unknown) =>
    async (...one: Asked) => {
      asked.push(one);
      return answer;
    };
  await call({ all: record([]), first: record(undefined), count: record(0) } as unknown as Database);
  const pages: number[] = [];
  for (const [query, values] of asked) {
    const text = typeof query === 'string' ? query : query.text;
    const row = await database.first(`explain (analyze, buffers, format json) ${text}` as string, values);
    const [[explained]] = Object.values(row ?? {}) as [[Explained]];
    pages.push(explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks']);
  }
  return pages;
}

test('the queries for work, for the next delivery, for pending deliveries and for rare events read few pages', async () => {
  await database.execute(
    `insert into webhooks.event (id, type, happened_at, data)
     select lpad(to_hex(n), 24, '0'), case when n % 2 = 0 then 'user.created' else 'post.created' end, now(), '{}'
     from generate_series(1, ${KEPT}) n`,
  );
  await database.execute(
    'update webhooks.progress set position = (select max(position) from webhooks.event)',
  );
  await database.execute(
    `insert into webhooks.endpoint (id, url, types, enabled, ordered, secret, after_position, created_at)
     select repeat(n::text, 24), 'https://hooks.invalid/', '{*}', true, true, '', 0, now() from generate_series(1, 2) n`,
  );
  // Endpoint 1 has received everything but the newest, endpoint 2 nothing yet.
  await database.execute(
    `insert into webhooks.delivery (endpoint, sequence, position, type, status, created_at)
     select endpoint, n, n, 'user.created', case when endpoint = 1 and n < ${KEPT} then 'delivered' else 'pending' end, now()
     from generate_series(1, ${KEPT}) n, (values (1), (2)) as endpoints (endpoint)`,
  );
  await database.execute('analyze webhooks.event, webhooks.delivery');
  const calls: Record<string, (recording: Database) => unknown> = {
    targets: (recording) => sendingStore(recording).targets('a process', new Date()),
    'the next of endpoint 1': (recording) => sendingStore(recording).next(1, new Date()),
    'the next of endpoint 2': (recording) => sendingStore(recording).next(2, new Date()),
    'what waits': (recording) =>
      deliveryStore(recording).pageOf(1, { status: 'pending' }, { page: 1, limit: 20 }, undefined),
    'rare events': (recording) =>
      eventLogStore(recording).readOn(0, { of: ['user.deleted', 'video.ready', 'video.failed'] }, 100),
    'frequent events': (recording) => eventLogStore(recording).readOn(0, { of: ['user.created'] }, 100),
  };
  for (const [name, call] of Object.entries(calls))
    for (const pages of await pagesOf(call)) assert.ok(pages < FEW_PAGES, `${name}: ${pages} pages`);
});
