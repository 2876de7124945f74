import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { documentStore, type StoredDocument } from './documents.store.ts';
import { foundStore } from './found.store.ts';
import { trimProminent } from './indexing.ts';
import { findingStatements, type Reach } from './matches.store.ts';
import { namesStatements } from './names.store.ts';
import { MAX_FOUND, type Rights, recordKey } from './search.model.ts';
import { keyOf, queryTextsOf, queryWords } from './words.ts';

const { database } = await ownDatabase();

/** The limits are so small that they are too small for some queries, and the last words are frequent in some. */
const REACHES: Reach[] = [
  { front: 1, frontPerResult: 0, sample: 4, frequent: 2, rare: 3 },
  { front: 4, frontPerResult: 1, sample: 3, frequent: 100, rare: 0 },
];
const TYPES = ['post', 'user', 'course'];
const stores = REACHES.map((reach, place) =>
  foundStore(database, TYPES, {
    finding: findingStatements(reach, `search.test-${place}`),
    naming: namesStatements(reach, `search.test-${place}`),
  }),
);

const WORDS = ['gold', 'golden', 'breakouts', 'party', 'parties', 'x', 'łódź'];
const AUDIENCES = ['all', 'a', 'b', 'c'];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength }).map((words) => words.join(' '));
const draft = fc.record({
  type: fc.constantFrom(...TYPES),
  title: text(3),
  body: text(6),
  audiences: fc.uniqueArray(fc.constantFrom(...AUDIENCES), { minLength: 1, maxLength: 2 }),
  hasName: fc.boolean(),
  prominence: fc.integer({ min: 0, max: 12 }),
});
const asked = fc.record({
  words: fc.array(fc.constantFrom(...WORDS, 'gol', 'pa', 'golf', 'breakout'), { minLength: 1, maxLength: 2 }),
  /** Whether `golf` was corrected to `gold` and `golden`. */
  isCorrected: fc.boolean(),
  type: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
  audiences: fc.subarray(AUDIENCES, { minLength: 1 }),
  /** Which documents are excluded, by their places. */
  excluded: fc.uniqueArray(fc.nat({ max: 59 }), { maxLength: 30 }),
  page: fc.integer({ min: 1, max: 2 }),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Draft = typeof draft extends fc.Arbitrary<infer One> ? One : never;
type Asked = typeof asked extends fc.Arbitrary<infer One> ? One : never;

const idOf = (number: number): string => number.toString(16).padStart(24, '0');

async function fill(drafts: Draft[], least: number): Promise<void> {
  await database.execute('delete from search.document');
  await database.execute('update search.prominent set least = $1', [least]);
  const stored = drafts.map(({ type, title, body, audiences, hasName, prominence }, number) => ({
    type,
    document: {
      id: idOf(number),
      title,
      body,
      titleKey: keyOf(title),
      titleWords: keyOf(title),
      bodyWords: keyOf(body),
      audiences: JSON.stringify(audiences),
      hasName,
      prominence,
      createdAt: new Date(0),
    } satisfies StoredDocument,
  }));
  await database.transaction(async (tx) => {
    for (const [type, some] of Map.groupBy(stored, (one) => one.type)) {
      documentStore.share(tx, type);
      documentStore.put(
        tx,
        type,
        some.map(({ document }) => document),
      );
    }
  });
}

const isApart = (): Promise<number> =>
  database.count(
    `select count(*) from search.document
     where is_prominent <> (prominence >= (select least from search.prominent))`,
  );

/** Returns all matches, best first, by the documented rules. */
function matchesOf(texts: ReturnType<typeof queryTextsOf>, key: string, rights: Rights, type?: string) {
  return database.all<{
    id: string;
    class: number;
    prominence: number;
    title: string;
    hasName: boolean;
    isForAll: boolean;
  }>(
    `with asked as (
       select case when $1 = '' then last else to_tsquery('search.english', $1) && last end as q
       from (select to_tsquery('search.english', $2) || to_tsquery('pg_catalog.simple', $3) as last) ends)
     select id, prominence, title, has_name as "hasName", 'all' = any(audiences) as "isForAll",
       case when not title_words @@ q then 100 when title_key = $6 then 400
         when starts_with(title_key, $6) then 300 else 200 end as class
     from search.document, asked
     where words @@ q and audiences && $4::text[] and type || '/' || id <> all($5::text[])
       and ($7::text is null or type = $7)
     order by class desc, prominence desc, id desc, type`,
    [texts.first, texts.last, texts.prefix, rights.audiences, rights.excluded, key, type ?? null],
  );
}

async function compare({ words, isCorrected, type, audiences, excluded, page, limit }: Asked): Promise<void> {
  const parsed = queryWords(words.join(' '));
  const insteadOf = new Map(isCorrected ? [['golf', ['gold', 'golden']]] : []);
  const texts = queryTextsOf(parsed.words, insteadOf);
  const rights = {
    audiences,
    excluded: excluded.flatMap((place) => TYPES.map((one) => recordKey(one, idOf(place)))),
  };
  const expected = await matchesOf(texts, parsed.key, rights, type);
  const everyType = type === undefined ? expected : await matchesOf(texts, parsed.key, rights);
  const named = everyType
    .filter((one) => one.class > 100 && one.hasName)
    .toSorted((a, b) => b.prominence - a.prominence);
  for (const store of stores) {
    assert.deepEqual(await store.count({ query: texts, rights, type }), {
      matches: expected.length,
      forAll: expected.filter((one) => one.isForAll).length,
    });
    const found = await store.page({ query: texts, key: parsed.key, rights, type }, { page, limit });
    assert.deepEqual(
      found.map(({ id, score }) => [id, score]),
      expected
        .slice((page - 1) * limit, page * limit)
        .map(({ id, class: ranked, prominence }) => [id, ranked + prominence]),
    );
    const names = await store.namesOf(texts, rights, limit);
    const allowed = named.map(({ title }) => title);
    const first = named.find(({ title }) => title === names[0]);
    assert.equal(first?.prominence, named[0]?.prominence);
    assert.ok(
      names.every((name) => allowed.includes(name)),
      `${names} of ${allowed}`,
    );
    assert.equal(names.length > 0, named.length > 0);
    assert.equal(new Set(names).size, names.length);
  }
}

test('a search returns the results in the order of the ranking rules, with any query plan', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 0, max: 12 }),
      fc.array(asked, { minLength: 12, maxLength: 12 }),
      async (drafts, least, queries) => {
        await fill(drafts, least);
        assert.equal(await isApart(), 0);
        for (const query of queries) await compare(query);
      },
    ),
    { numRuns: 25 },
  );
});

test('names with a prefix are suggested once each, the most prominent first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { maxLength: 40 }),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom('g', 'gol', 'gold', 'golde', 'gold go', 'breakout', 'party x'),
      fc.subarray(AUDIENCES, { minLength: 1 }),
      fc.uniqueArray(fc.nat({ max: 39 }), { maxLength: 20 }),
      async (drafts, least, key, audiences, hidden) => {
        await fill(drafts, least);
        const excluded = hidden.flatMap((place) => TYPES.map((one) => recordKey(one, idOf(place))));
        const highest = new Map<string, number>();
        for (const [place, { title, hasName, audiences: own, prominence }] of drafts.entries())
          if (
            !hidden.includes(place) &&
            hasName &&
            keyOf(title).startsWith(key) &&
            own.some((one) => audiences.includes(one))
          )
            highest.set(title, Math.max(highest.get(title) ?? 0, prominence));
        const expected = [...highest]
          .sort(([a, high], [b, low]) => low - high || (a < b ? -1 : 1))
          .map(([title]) => title);
        for (const store of stores) {
          const names = await store.namesWith(key, { audiences, excluded }, 100);
          assert.deepEqual(names, expected);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the least prominent documents are demoted until few enough remain, ties together', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 7 }),
      async (drafts, max, atOnce) => {
        await fill(drafts, 0);
        await trimProminent(database, new AbortController().signal, { max, surplus: 0, atOnce });
        assert.equal(await isApart(), 0);
        const left = await documentStore.countProminent(database);
        const highest = Math.max(...drafts.map(({ prominence }) => prominence));
        const equal = drafts.filter(({ prominence }) => prominence === highest).length;
        assert.ok(left >= 1 && left <= Math.max(max, equal), `${left} of ${drafts.length} are prominent`);
      },
    ),
    { numRuns: 25 },
  );
});

test('counts and results are bounded for frequent words and prefixes', async () => {
  const drafts = Array.from({ length: MAX_FOUND + 100 }, (_, number) => ({
    type: 'post' as const,
    title: number % 2 === 0 ? 'gold x' : 'golden x',
    body: 'party',
    audiences: ['all'],
    hasName: false,
    prominence: number % 12,
  }));
  await fill(drafts, 6);
  const rights = { audiences: ['all'], excluded: [] };
  for (const store of [...stores, foundStore(database, TYPES)])
    for (const q of ['x', 'gol', 'x gol', 'party gol', 'party x']) {
      const { words, key } = queryWords(q);
      const texts = queryTextsOf(words, new Map());
      const { matches, forAll } = await store.count({ query: texts, rights, type: undefined });
      assert.deepEqual([matches, forAll], [MAX_FOUND, MAX_FOUND], q);
      const last = await store.page(
        { query: texts, key, rights, type: undefined },
        { page: MAX_FOUND / 50, limit: 50 },
      );
      assert.equal(last.length, 50, q);
      const beyond = await store.page(
        { query: texts, key, rights, type: undefined },
        { page: MAX_FOUND / 50 + 1, limit: 50 },
      );
      assert.equal(beyond.length, 0, q);
    }
});
