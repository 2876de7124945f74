import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { onManyInTransaction, type Subscription } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Job, job, jobKind } from '../../kernel/jobs.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { Searchable, SearchDocument, SearchType } from './contract.ts';
import { documentStore, type StoredDocument } from './documents.store.ts';
import { deletionsOf, vocabularyOf, wordText } from './words.ts';

const REBUILD_AT_ONCE = 200;
const MAX_BODY_LENGTH = 20_000;
/** How prominent a kind of record is beside the others, in units of e-fold popularity. */
const TYPE_PROMINENCE: Record<SearchType, number> = {
  educator: 8,
  course: 7,
  indicator: 6,
  chatroom: 5,
  user: 3,
  trade: 1,
  post: 1,
};
/** What is newer by this much counts for as much as what is e times as popular. */
const FRESHNESS_DAYS = 60;
const EPOCH_MS = Date.UTC(2025, 0, 1);

/** By type, popularity and age. Of the age the date is taken, so that it never has to be worked out anew. */
const prominenceOf = (type: SearchType, { popularity, createdAt }: SearchDocument): number =>
  TYPE_PROMINENCE[type] +
  Math.log1p(Math.max(0, popularity)) +
  (createdAt.getTime() - EPOCH_MS) / (FRESHNESS_DAYS * DAY_MS);

const storedOf = (type: SearchType, document: SearchDocument): StoredDocument => {
  const body = document.body.slice(0, MAX_BODY_LENGTH);
  const titleWords = wordText(document.title);
  return {
    id: document.id,
    title: document.title,
    body,
    titleKey: titleWords,
    titleWords,
    bodyWords: wordText(body),
    audiences: JSON.stringify(document.audiences),
    hasName: document.hasName,
    prominence: prominenceOf(type, document),
    createdAt: document.createdAt,
  };
};

/** Reads these records within the transaction, and makes what is found of them what they are. */
async function refresh(tx: Transaction, { type, read }: Searchable, ids: ObjectId[]): Promise<void> {
  const documents = await read(ids, tx);
  const found = new Set(documents.map(({ id }) => id));
  const gone = ids.filter((id) => !found.has(id));
  if (gone.length > 0) documentStore.remove(tx, type, gone);
  if (documents.length === 0) return;
  const stored = documents.map((document) => storedOf(type, document));
  documentStore.put(tx, type, stored);
  const words = [
    ...new Set(stored.flatMap(({ titleWords, bodyWords }) => vocabularyOf(`${titleWords} ${bodyWords}`))),
  ];
  const deletions = words.flatMap((word) => deletionsOf(word).map((without) => ({ without, word })));
  if (words.length > 0) documentStore.addWords(tx, words, deletions);
}

/** Keeps what is found right: each event that a module named has its records read again, in its own transaction. */
export const indexingSubscriptions = (searchables: Searchable[]): Subscription[] =>
  searchables.flatMap((searchable) =>
    searchable.changes.map(({ kind, idsOf }) =>
      onManyInTransaction(kind, `search-${searchable.type}`, async (events, tx) => {
        documentStore.share(tx, searchable.type);
        await refresh(tx, searchable, [...new Set(events.flatMap(({ data }) => idsOf(data)))]);
      }),
    ),
  );

/**
 * Reads every record again, a few in each transaction: for what was there before search was, and for popularity, which is
 * not worth a write at each change. What nothing stands behind any more goes.
 */
export function rebuildJob(
  searchables: () => Searchable[],
  tidy: () => Promise<void>,
  database: Database,
): Job {
  async function rebuild(searchable: Searchable, signal: AbortSignal): Promise<void> {
    for (let after: ObjectId = ''; !signal.aborted; ) {
      const ids = await searchable.idsAfter(after, REBUILD_AT_ONCE);
      if (ids.length > 0)
        await database.transaction(async (tx) => {
          await documentStore.holdAlone(tx, searchable.type);
          await refresh(tx, searchable, ids);
        });
      if (ids.length < REBUILD_AT_ONCE) break;
      after = ids.at(-1) as ObjectId;
    }
    for (let after: ObjectId = ''; !signal.aborted; ) {
      const ids = await database.transaction(async (tx) => {
        await documentStore.holdAlone(tx, searchable.type);
        const known = await documentStore.idsAfter(tx, searchable.type, after, REBUILD_AT_ONCE);
        const found = new Set((await searchable.read(known, tx)).map(({ id }) => id));
        const gone = known.filter((id) => !found.has(id));
        if (gone.length > 0) documentStore.remove(tx, searchable.type, gone);
        return known;
      });
      if (ids.length < REBUILD_AT_ONCE) break;
      after = ids.at(-1) as ObjectId;
    }
  }

  return job(jobKind('search.rebuild'), {
    cron: '40 2 * * *',
    concurrency: 1,
    retries: 3,
    timeoutSeconds: 4 * 3600,
    run: async (_data, { signal }) => {
      for (const searchable of searchables()) await rebuild(searchable, signal);
      await tidy();
    },
  });
}
