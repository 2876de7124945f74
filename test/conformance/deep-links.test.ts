// The actions of notifications link to records that clients can read. No server is started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedOperations } from '../support/api-contract.ts';
import { audienceOf, descriptions } from '../support/descriptions.ts';

const { metadata } = descriptions().api.components.schemas.Notification?.properties ?? {};
const uses = metadata?.['x-actions'] ?? [];
const shapeOf = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');

test('each action of a notification names an operation of members that reads its target by the ids in the notification', () => {
  assert.ok(uses.length > 10);
  for (const { action, path, ids } of uses) {
    const read = describedOperations().find(
      (one) => one.method === 'GET' && shapeOf(one.path) === shapeOf(path),
    );
    assert.ok(read, `${action}: GET ${path}`);
    const isForMembers = audienceOf(read.is).some((one) => one === 'member' || one === 'client');
    assert.ok(isForMembers, `${action} is read by ${audienceOf(read.is)}`);
    for (const [, id = ''] of path.matchAll(/\{([^}]*)\}/g))
      assert.ok(ids.includes(id), `${action} has no ${id}`);
  }
});
