import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outlineOf } from './json-outline.ts';

const NO_LIMITS = { maxValues: Number.POSITIVE_INFINITY, maxDepth: Number.POSITIVE_INFINITY };
const outline = (text: string, limits: object = {}) =>
  outlineOf(Buffer.from(text), { ...NO_LIMITS, ...limits });

/** Any JSON, with the characters of its syntax within its texts. */
const texts = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '[', ']', '{', '}', ',', ':', 'ł', '\0', '\ud800'),
});
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    texts,
    fc.constantFrom<unknown>(1, -2.5e3, true, null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const printed = fc
  .tuple(json, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => [value, JSON.stringify(value, null, indent)] as const);

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
/** One for each value but the first of a list or an object, and one for each list and object. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return 1 + Math.max(0, inner.length - 1) + inner.map(countOf).reduce((sum, one) => sum + one, 0);
}
const isUnsafe = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => isUnsafe(name) || isUnsafe(item));
};

test('depth, number of values and unsafe texts agree with a full parser', () => {
  fc.assert(
    fc.property(printed, ([value, text]) => {
      const { depth, values, hasSuspectEscape } = outline(text);
      assert.deepEqual([depth, values], [depthOf(value), countOf(value)]);
      if (isUnsafe(value)) assert.ok(hasSuspectEscape);
    }),
    { numRuns: 3_000 },
  );
});

test('length limits of top-level lists apply to every spelling of their name', () => {
  const maxItems = new Map([['list', 3]]);
  const names = fc.constantFrom('list', 'other');
  const escaped = (name: string) =>
    `"${[...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.boolean(), fc.oneof(fc.array(json, { maxLength: 6 }), json)), {
        maxLength: 4,
      }),
      (fields) => {
        const written = fields.map(
          ([name, isEscaped, value]) =>
            `${isEscaped ? escaped(name) : `"${name}"`} : ${JSON.stringify(value)}`,
        );
        const { overlong } = outline(`{${written.join(' , ')}}`, { maxItems });
        const isOver = fields.some(
          ([name, , value]) => name === 'list' && Array.isArray(value) && value.length > 3,
        );
        assert.equal(overlong, isOver ? 'list' : undefined);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('scanning stops at the first limit and accepts any bytes', () => {
  assert.ok(outline('['.repeat(1_000_000), { maxDepth: 32 }).depth <= 33);
  assert.ok(outline('[],'.repeat(300_000), { maxValues: 1_000 }).values <= 1_001);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void outlineOf(bytes, NO_LIMITS)));
});
