import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { limitPerKey } from './limit-per-key.ts';

test('at most the given number of tasks of a key run at once, in order, whether or not some fail', async () => {
  const property = async (most: number, works: { key: string; turns: number; fails: boolean }[]) => {
    const inTurn = limitPerKey(most);
    const running = new Map<string, number>();
    const begun: Record<string, number[]> = {};
    const results = await Promise.allSettled(
      works.map(({ key, turns, fails }, place) =>
        inTurn(key, async () => {
          running.set(key, (running.get(key) ?? 0) + 1);
          assert.ok((running.get(key) ?? 0) <= most);
          begun[key] = [...(begun[key] ?? []), place];
          for (let turn = 0; turn < turns; turn++) await undefined;
          running.set(key, (running.get(key) ?? 0) - 1);
          if (fails) throw new Error('failed');
          return place;
        }),
      ),
    );
    for (const [place, result] of results.entries())
      assert.equal(result.status, works[place]?.fails ? 'rejected' : 'fulfilled');
    for (const places of Object.values(begun))
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
  };
  const work = fc.record({ key: fc.constantFrom('a', 'b'), turns: fc.nat(5), fails: fc.boolean() });
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(work), property));
});
