// Wherever members see a person, over HTTP or live, the person has the same shape. No server is started.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { descriptions, type JsonSchema, placeIn } from '../support/descriptions.ts';

const NAMES = ['name', 'firstName', 'username'];
const PICTURES = ['avatar', 'profileImage', 'picture'];
const { api, live } = descriptions();
const member = Object.entries(api.components.schemas.Member?.properties ?? {});

/** Returns the paths within a schema that show a person in another shape than `Member`. */
function strangersIn(schema: unknown, place: string, description: object): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as JsonSchema;
  const has = (names: string[]) => names.some((name) => Object.hasOwn(properties, name));
  // Names without a picture but with an e-mail address are a contact for administrators, not a person.
  const isPerson = has(NAMES) && (has(PICTURES) || (has(['firstName', 'username']) && !has(['email'])));
  const shapeOf = ({ $ref, ...shape }: JsonSchema) => ($ref ? placeIn(description, $ref) : shape);
  const typeOf = (shape: unknown) => (shape as JsonSchema).type;
  const isMember = member.every(([name, shape]) => {
    const its = properties[name];
    return its && isDeepStrictEqual(typeOf(shapeOf(its)), typeOf(shapeOf(shape)));
  });
  const showsMember = properties.user?.$ref === '#/components/schemas/Member';
  const own = isPerson && !isMember && !showsMember ? [place] : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([key, inner]) =>
      key === 'examples' ? [] : strangersIn(inner, `${place}/${key}`, description),
    ),
  ];
}

test('every shape that shows a person to members contains the shape Member', () => {
  assert.deepEqual(
    member.map(([name]) => name),
    ['id', 'name', 'username', 'avatar', 'isEducator'],
  );
  const answers = Object.entries(api.components.schemas).filter(([name]) => !name.endsWith('Body'));
  const strangers = [
    ...answers.flatMap(([name, schema]) => strangersIn(schema, name, api)),
    ...strangersIn(live.components, 'live', live),
  ];
  assert.deepEqual(strangers, []);
});

test('a person without some of its fields is found', () => {
  const [id, name, avatar] = [{ type: 'string' }, { type: 'string' }, { type: ['string', 'null'] }];
  const found = (properties: Record<string, JsonSchema>) =>
    strangersIn({ type: 'array', items: { properties } }, 'Row', api);
  assert.deepEqual(found({ id, name, avatar }), ['Row/items']);
  assert.deepEqual(found({ id, firstName: name }), ['Row/items']);
  assert.deepEqual(found({ id, name, avatar, username: name, isEducator: name }), ['Row/items']);
  assert.deepEqual(found({ user: { $ref: '#/components/schemas/Member' }, name, avatar }), []);
  assert.deepEqual(found(Object.fromEntries(member)), []);
});
