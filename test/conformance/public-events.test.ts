// Every event is public for other systems, or there is a reason why it is not.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import type { InternalEvent, PublicEvent } from '../../src/modules/webhooks/contract.ts';
import { descriptions, type JsonSchema } from '../support/descriptions.ts';
import { eventKinds } from '../support/documents.ts';

const SPECIFIED =
  `user.created, user.updated, user.deleted, wallet.funded, wallet.transferred, wallet.refunded,
  withdrawal.requested, withdrawal.paid, withdrawal.returned, checkout.paid, checkout.reversed, exchange_rate.changed,
  course.published, course.enrolled, course.completed, lesson.published, lesson.completed, video.ready, video.failed,
  announcement.published, story.published, educator.followed, post.created, post.deleted, trade.created, trade.closed,
  livestream.started, indicator_access.began, indicator_access.ended, access_request.decided, moderation.reported,
  webhook.test`.split(/,\s+/);

const root = new URL('../../', import.meta.url);
const files = globSync('src/modules/*/*.public-events.ts', { cwd: root });
const contributed = (
  await Promise.all(files.map(async (file) => Object.values(await import(new URL(file, root).href)).flat()))
).flat() as (PublicEvent | InternalEvent)[];
const publicEvents = contributed.filter((one): one is PublicEvent => 'from' in one);
const internal = contributed.filter((one): one is InternalEvent => 'reason' in one);

test('every event of a module is public, or internal for a reason, and not both', async () => {
  const named = [
    ...publicEvents.flatMap(({ from }) => from.map(({ kind }) => kind.name)),
    ...internal.map(({ kind }) => kind.name),
  ];
  assert.deepEqual(
    named.toSorted(),
    (await eventKinds()).map(({ name }) => name),
  );
  for (const { kind, reason } of internal) assert.match(reason, /^[A-Z`].{15,}[^.]$/, kind.name);
});

interface Described {
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Record<string, JsonFile> } } }>;
  components: { schemas: Record<string, JsonSchema> };
}
type JsonFile = { schema: JsonSchema };
const description = descriptions().api as unknown as Described;

test('the public types are those of the specification, and each is described', () => {
  const types = Object.keys(description.webhooks);
  assert.deepEqual(types, SPECIFIED.toSorted());
  assert.deepEqual([...publicEvents.map(({ type }) => type), 'webhook.test'].sort(), types);
  const { PublicEvent: union } = description.components.schemas;
  assert.equal(union?.oneOf?.length, types.length);
});

/** Whether a field has a description, or is an id whose name explains it. */
const isDocumented = (name: string, field: JsonSchema & { description?: string }): boolean =>
  !!field.description || (field.$ref?.endsWith('/ObjectId') === true && name.endsWith('Id'));

test('every field of a public event is documented, and none is personal', () => {
  const { schemas } = description.components;
  for (const type of Object.keys(description.webhooks)) {
    const [own] =
      description.webhooks[type]?.post.requestBody.content['application/json']?.schema.allOf ?? [];
    const event = schemas[own?.$ref?.split('/').at(-1) as string];
    assert.equal(event?.properties?.type?.const, type);
    const fields = Object.entries(event?.properties?.data?.properties ?? {});
    if (type !== 'webhook.test') assert.ok(fields.length > 0, type);
    for (const [name, field] of fields) {
      assert.ok(isDocumented(name, field), `${type}: ${name}`);
      assert.doesNotMatch(name, /name|email|title|text|description|message|reason|address/i, type);
    }
  }
});
