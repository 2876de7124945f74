// The names, sizes and extensions of the OpenAPI description that clients and generators rely on. No server is started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedOperations, resolved } from '../support/api-contract.ts';
import { descriptions } from '../support/descriptions.ts';

const description = descriptions().api;
const described = describedOperations().map(({ method, path, is }) => ({ method, path, operation: is }));

test('names of operations and components are unique without regard to case', () => {
  const { schemas: shapes, responses, parameters } = description.components;
  const ids = described.map(({ operation }) => operation.operationId);
  for (const names of [ids, Object.keys(shapes), Object.keys(responses), Object.keys(parameters)]) {
    const lower = names.map((name) => name.toLowerCase());
    assert.deepEqual(
      names.filter((name, place) => lower.indexOf(name.toLowerCase()) !== place),
      [],
    );
  }
});

/** Returns objects and lists of more than 450 bytes that occur more than once. */
function repeatedShapes(schemas: object): string[] {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if ('type' in value && text.length > 450) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const inner of Object.values(value)) count(inner);
  };
  count(schemas);
  return [...counts].filter(([, times]) => times > 1).map(([text]) => text);
}

test('failures, repeated parameters and larger shapes are components, in fewer than 2,000 bytes an operation', () => {
  for (const { method, path, operation } of described) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!(Number(status) < 400))
        assert.match(response.$ref ?? '', /^#\/components\/responses\//, `${method} ${path}`);
    }
  }
  assert.deepEqual(repeatedShapes(description.components.schemas), []);
  assert.ok(Buffer.byteLength(JSON.stringify(description)) < 2_000 * described.length);
});

test('failures have names that read well', () => {
  for (const name of Object.keys(description.components.responses))
    assert.match(name, /^(?=.{4,70}$)([A-Z][a-z]*)+$/);
  const named = (id: string, status: number | 'default') =>
    described.find(({ operation }) => operation.operationId === id)?.operation.responses[status]?.$ref;
  assert.equal(named('getCourse', 404), '#/components/responses/CourseNotFound');
  assert.equal(named('getBalance', 'default'), '#/components/responses/AnyMemberRead');
  assert.equal(named('transferKeys', 400), '#/components/responses/TransferKeysBadRequest');
});

test('every group of operations has a description, and groups for apps precede those for operators', () => {
  const names = description.tags.map(({ name }) => name);
  for (const { name, description: sentence } of description.tags)
    assert.match(sentence ?? '', /^[A-Z][^.]+\.$/, name);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(new Set(names), new Set(described.map(({ operation }) => operation.tags[0])));
  assert.equal(names[0], 'Sign-in');
  const inOrder = ['Sign-in', 'Passwords', 'Wallet', 'Courses', 'Lesson videos', 'API keys', 'Webhooks'];
  assert.deepEqual(
    names.filter((name) => inOrder.includes(name)),
    inOrder,
  );
});

test('bodies and results are named after their operation or resource, and success is a constant', () => {
  for (const { method, path, operation } of described) {
    const name = operation.operationId.charAt(0).toUpperCase() + operation.operationId.slice(1);
    const body = operation.requestBody?.content['application/json']?.schema.$ref;
    if (operation.requestBody) assert.ok(body, `${method} ${path}`);
    const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
    const schema = success?.content['application/json']?.schema;
    const [whole, own] = resolved(schema ?? {}).allOf ?? [];
    if (schema?.$ref) assert.equal(schema.$ref, `${own?.properties?.data?.$ref}Answer`);
    assert.match(whole?.$ref ?? '', /^#\/components\/schemas\/Success(Page|Feed)?$/);
    assert.ok(own?.properties?.data?.$ref ?? own?.properties?.data?.items, `${name} has no named result`);
  }
  const { Success, Failure } = description.components.schemas;
  assert.deepEqual([Success?.properties?.success?.const, Failure?.properties?.success?.const], [true, false]);
  const codes = description.components.schemas.ErrorCode?.enum;
  for (const code of ['INSUFFICIENT_BALANCE', 'TOKEN_EXPIRED', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'])
    assert.ok(codes?.includes(code), code);
});

test('extensions describe paging, idempotency, audience and size', () => {
  const one = (id: string) => described.find(({ operation }) => operation.operationId === id)?.operation;
  assert.deepEqual(one('listChatMessages')?.['x-pagination'], {
    style: 'page-or-cursor',
    maxLimit: 100,
    cursors: ['before', 'after'],
    cursorOf: ['id'],
  });
  assert.equal(one('transferKeys')?.['x-idempotent'], true);
  assert.equal(one('getBalance')?.['x-idempotent'], undefined);
  assert.equal(one('completeLessonUpload')?.['x-repeatable'], true);
  assert.equal(one('refreshToken')?.['x-repeatable'], undefined, 'using a token twice ends the session');
  assert.deepEqual(one('listUsersAsAdmin')?.['x-audience'], ['administrator']);
  assert.deepEqual(description['x-audience'], ['member']);
  assert.equal(one('getBalance')?.['x-audience'], undefined);
  assert.equal(one('sendBulkNotification')?.['x-max-body-bytes'], 1024 * 1024);
  assert.equal(one('transferKeys')?.['x-max-body-bytes'], undefined);
  for (const { operation } of described) {
    assert.notDeepEqual(operation['x-audience'] ?? ['anybody'], description['x-audience'], 'said once');
    const [success] = Object.values(operation.responses);
    const [answer] = resolved(success?.content['application/json']?.schema ?? {}).allOf ?? [];
    assert.equal(
      'pagination' in (resolved(answer ?? {}).properties ?? {}),
      'x-pagination' in operation,
      operation.operationId,
    );
  }
});
