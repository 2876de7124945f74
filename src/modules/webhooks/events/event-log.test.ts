import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { Event } from '../../../kernel/messaging/events.ts';
import { eventKind } from '../../../kernel/messaging/events.ts';
import { noMessageCheck } from '../../../kernel/messaging/message-check.ts';
import type { Catalogue } from './catalogue.ts';
import { eventLog } from './event-log.ts';
import type { Logged } from './events.model.ts';

test('an event whose upgrade fails is kept unread, and the relay of all events goes on', async () => {
  const kind = eventKind('test.happened', {
    version: 2,
    data: Type.Object({ name: Type.String() }),
    upgrades: { 1: ({ names }: { names: string[] }) => ({ name: names[0] }) },
  });
  const source = { kind, map: (data: object) => data };
  const catalogue = {
    types: [{ type: 'test.happened', from: [source] }],
    sourceOf: () => ({ type: 'test.happened', shape: kind.shape, source }),
  } as unknown as Catalogue;
  const logged: Logged[] = [];
  const store = { append: async (_tx: unknown, events: Logged[]) => void logged.push(...events) };
  const errors: unknown[] = [];
  const log = eventLog({
    ...{ store, catalogue, check: noMessageCheck },
    log: { error: (error: unknown) => errors.push(error) },
  } as unknown as Parameters<typeof eventLog>[0]);
  const [{ handleInOrder } = assert.fail('no subscription')] = log.subscriptions();
  const happened = (data: object): Event<object> => ({
    ...{ id: 'a'.repeat(24), name: kind.name, version: 1, occurredAt: '2030-01-01T00:00:00Z' },
    data,
  });
  await handleInOrder?.([happened({}), happened({ names: ['ada'] })], undefined as never);
  assert.deepEqual(
    logged.map(({ type }) => type),
    [null, 'test.happened'],
  );
  assert.equal(errors.length, 1);
});
