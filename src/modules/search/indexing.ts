import { chunks } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { onManyInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { EVERYBODY, type Searchable, type SearchDocument } from './contract.ts';
import { type AudienceWord, documentStore, type StoredDocument, type WordForm } from './documents.store.ts';
import { deletionsOf, keyOf, vocabularyOf, wordText } from './words.ts';

const REFRESHED_AT_ONCE = 200;
/** Size of the prominent set, and how far it may grow before the nightly rebuild trims it. */
const MAX_PROMINENT = 65_536;
const PROMINENT_SURPLUS = 16_384;
const DEMOTED_AT_ONCE = 200;
const MAX_BODY_LENGTH = 20_000;
/** Being this many days newer weighs as much as being e times as popular. */
const FRESHNESS_DAYS = 60;
const EPOCH_MS = Date.UTC(2025, 0, 1);

/** Combines type, popularity and age. It uses the date, not the age, so that it never needs recomputation. */
const prominenceOf = ({ prominence }: Searchable, { popularity, createdAt }: SearchDocument): number =>
  prominence +
  Math.log1p(Math.max(0, popularity)) +
  (createdAt.getTime() - EPOCH_MS) / (FRESHNESS_DAYS * DAY_MS);

const storedOf = (searchable: Searchable, document: SearchDocument): StoredDocument => {
  const body = document.body.slice(0, MAX_BODY_LENGTH);
  const titleWords = wordText(document.title);
  return {
    id: document.id,
    title: document.title,
    body,
    titleKey: keyOf(document.title),
    titleWords,
    bodyWords: wordText(body),
    audiences: JSON.stringify(document.audiences),
    hasName: document.hasName,
    prominence: prominenceOf(searchable, document),
    createdAt: document.createdAt,
  };
};

const MAX_FORGOTTEN_WORDS = 60;

const formsOf = (words: AudienceWord[]): WordForm[] =>
  [...new Set(words.map(({ word }) => word))].flatMap((word) =>
    deletionsOf(word).map((without) => ({ without, word })),
  );

/** Returns the words of documents by their audiences, each pair once. The audience of everybody includes all others. */
function wordsByAudience(documents: { text: string; audiences: string[] }[]): Map<string, AudienceWord> {
  const words = new Map<string, AudienceWord>();
  for (const { text, audiences } of documents)
    for (const audience of audiences.includes(EVERYBODY) ? [EVERYBODY] : audiences)
      for (const word of vocabularyOf(text)) words.set(JSON.stringify([audience, word]), { word, audience });
  return words;
}

/**
 * Deletes words that occur in no document of their audience. The next rebuild restores a word that was added
 * concurrently.
 */
async function forget(tx: Transaction, words: AudienceWord[]): Promise<void> {
  const unused: AudienceWord[] = [];
  for (const word of words.slice(0, MAX_FORGOTTEN_WORDS))
    if (!(await documentStore.hasWord(tx, word))) unused.push(word);
  if (unused.length > 0) documentStore.forgetWords(tx, unused, formsOf(unused));
}

/**
 * Deletes words that no longer occur in any document of their audience; most changes of documents leave words behind.
 */
async function sweepWords(database: Database, signal: AbortSignal): Promise<void> {
  for (let after: AudienceWord = { word: '', audience: '' }; !signal.aborted; ) {
    const words = await database.transaction(async (tx) => {
      const some = await documentStore.wordsAfter(tx, after, MAX_FORGOTTEN_WORDS);
      await forget(tx, some);
      return some;
    });
    if (words.length < MAX_FORGOTTEN_WORDS) return;
    after = words.at(-1) as AudienceWord;
  }
}

/** Reads the records within the transaction and updates their documents. */
async function refresh(tx: Transaction, searchable: Searchable, ids: ObjectId[]): Promise<void> {
  const { type, forgetsWords } = searchable;
  const [documents, before] = await Promise.all([
    searchable.read(ids, tx),
    forgetsWords ? documentStore.textsOf(tx, type, ids) : [],
  ]);
  const found = new Set(documents.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) documentStore.remove(tx, type, missing);
  const stored = documents.map((document) => storedOf(searchable, document));
  const words = wordsByAudience(
    stored.map(({ titleWords, bodyWords }, place) => ({
      text: `${titleWords} ${bodyWords}`,
      audiences: documents[place]?.audiences ?? [],
    })),
  );
  if (stored.length > 0) documentStore.put(tx, type, stored);
  if (words.size > 0) documentStore.addWords(tx, [...words.values()], formsOf([...words.values()]));
  const former = wordsByAudience(
    before.map(({ title, body, audiences }) => ({ text: `${title} ${body}`, audiences })),
  );
  await forget(
    tx,
    [...former].filter(([key]) => !words.has(key)).map(([, word]) => word),
  );
}

/** Keeps the index correct: each declared event reindexes its records in its own transaction. */
export const indexingSubscriptions = (searchables: Searchable[]): Subscription[] =>
  searchables.flatMap((searchable) =>
    searchable.changes.map(({ kind, idsOf }) =>
      onManyInTransaction(kind, `search-${searchable.type}`, async (events, tx) => {
        documentStore.share(tx, searchable.type);
        const changed = await Promise.all(events.map(({ data }) => idsOf(data, tx)));
        for (const ids of chunks([...new Set(changed.flat())], REFRESHED_AT_ONCE))
          await refresh(tx, searchable, ids);
      }),
    ),
  );

/**
 * Demotes documents until the prominent set has the size that searches read quickly; new documents are usually among
 * the most prominent.
 */
export async function trimProminent(
  database: Database,
  signal: AbortSignal,
  { max = MAX_PROMINENT, surplus = PROMINENT_SURPLUS, atOnce = DEMOTED_AT_ONCE } = {},
): Promise<void> {
  const prominent = await documentStore.countProminent(database);
  if (prominent <= max + surplus) return;
  for (let left = prominent - max; left > 0 && !signal.aborted; ) {
    const count = Math.min(left, atOnce);
    // `demote` takes an offset: the last document to demote is `count - 1` positions after the first.
    const demoted = await database.transaction((tx) => documentStore.demote(tx, count - 1));
    if (demoted === 0) return;
    left -= demoted;
  }
}

/**
 * Reads every record again, a few in each transaction: to index records older than the module, and to update
 * popularity, which is not written at each change. Documents without a record are deleted.
 */
export function rebuildJobs(searchables: Searchable[], tidy: () => Promise<void>, database: Database): Job[] {
  async function rebuild(searchable: Searchable, signal: AbortSignal): Promise<void> {
    for (let after: ObjectId = ''; !signal.aborted; ) {
      const ids = await searchable.idsAfter(after, REFRESHED_AT_ONCE);
      if (ids.length > 0)
        await database.transaction(async (tx) => {
          await documentStore.lockExclusively(tx, searchable.type);
          await refresh(tx, searchable, ids);
        });
      if (ids.length < REFRESHED_AT_ONCE) break;
      after = ids.at(-1) as ObjectId;
    }
    for (let after: ObjectId = ''; !signal.aborted; ) {
      const ids = await database.transaction(async (tx) => {
        await documentStore.lockExclusively(tx, searchable.type);
        const documentIds = await documentStore.idsAfter(tx, searchable.type, after, REFRESHED_AT_ONCE);
        const found = new Set((await searchable.read(documentIds, tx)).map(({ id }) => id));
        const missing = documentIds.filter((id) => !found.has(id));
        if (missing.length > 0) documentStore.remove(tx, searchable.type, missing);
        return documentIds;
      });
      if (ids.length < REFRESHED_AT_ONCE) break;
      after = ids.at(-1) as ObjectId;
    }
  }

  async function rebuildAll({ signal }: { signal: AbortSignal }): Promise<void> {
    for (const searchable of searchables) await rebuild(searchable, signal);
    await trimProminent(database, signal);
    if (signal.aborted) return;
    await documentStore.deleteWordsWithoutAudience(database);
    await sweepWords(database, signal);
    await documentStore.markCurrent(database);
    await tidy();
  }

  const nightly = job(jobKind('search.rebuild'), {
    cron: '40 2 * * *',
    concurrency: 1,
    retries: 3,
    timeoutSeconds: 4 * 3600,
    run: (_data, context) => rebuildAll(context),
  });
  // Reindexes documents that lack data because an older program has written them.
  const catchUp = job(jobKind('search.catch-up'), {
    atStart: true,
    concurrency: 1,
    retries: 3,
    timeoutSeconds: 4 * 3600,
    run: async (_data, context) => {
      if (await documentStore.isOutdated(database)) await rebuildAll(context);
    },
  });
  return [nightly, catchUp];
}
