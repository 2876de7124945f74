// The form of docs/decisions: one rule with its reason on a line, said once.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';

const MAX_LENGTH = 400;
/** The share of the words of the shorter decision that the longer one may have, too. */
const MAX_COMMON = 0.6;
/** Words that say nothing about what a decision is about. */
const FILLERS = new Set(
  `a all also an and are as at be because been both but by can cannot for from had has have if in into is it its may must
  no nor not of off on once one only or other others so than that the their them then there these they this those to up
  was were what when where which while who whose will with without would`.split(/\s+/),
);

interface Decision {
  place: string;
  text: string;
}

const decisions: Decision[] = globSync('docs/decisions/*.md')
  .filter((path) => basename(path) !== 'README.md')
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((text, index) => (text.startsWith('- ') ? [{ place: `${path}:${index + 1}`, text }] : [])),
  );

const wordsOf = ({ text }: Decision): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !FILLERS.has(word)));

/** Names the pairs of decisions that have most of their words in common. */
function nearDuplicates(all: Decision[]): string[] {
  const words = all.map(wordsOf);
  const isAlike = (a: Set<string>, b: Set<string>): boolean =>
    [...a].filter((word) => b.has(word)).length > MAX_COMMON * Math.min(a.size, b.size);
  return all.flatMap(({ place }, first) =>
    all
      .slice(first + 1)
      .filter((_other, index) =>
        isAlike(words[first] as Set<string>, words[first + 1 + index] as Set<string>),
      )
      .map((other) => `${place} and ${other.place}`),
  );
}

test('a decision is one line: its rule in bold, then its reason', () => {
  assert.ok(decisions.length > 100);
  for (const { place, text } of decisions) {
    assert.match(text, /^- \*\*[^*]+\*\*.* /, `${place} begins with no rule in bold, or has no reason`);
    assert.ok(text.length <= MAX_LENGTH, `${place} has ${text.length} characters`);
  }
});

test('no two decisions say the same', () => {
  assert.deepEqual(nearDuplicates(decisions), []);
});

test('two decisions that say the same in slightly different words are found', () => {
  const pair = [
    'The merchant tells of a paid checkout by an event that the wallet takes in within that transaction.',
    'The merchant publishes a paid checkout as an event that the wallet handles within the same transaction.',
  ].map((text, index) => ({ place: `line ${index}`, text }));
  assert.deepEqual(nearDuplicates(pair), ['line 0 and line 1']);
});
