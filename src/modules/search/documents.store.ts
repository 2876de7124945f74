import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** A stored document. */
export interface StoredDocument {
  id: ObjectId;
  title: string;
  body: string;
  titleKey: string;
  /** Normalized words of the title, and of the whole document. */
  titleWords: string;
  bodyWords: string;
  /** JSON, because PostgreSQL has no jagged arrays. */
  audiences: string;
  hasName: boolean;
  prominence: number;
  createdAt: Date;
}

/** A word that occurs in some document of an audience. */
export interface AudienceWord {
  word: string;
  audience: string;
}

/** A word, and one of its forms with one letter deleted. */
export interface WordForm {
  without: string;
  word: string;
}

/** Writes only documents whose content, or prominence by a wide margin, has changed. */
const put = statement<never>(
  'search.put-documents',
  `insert into search.document as known
     (type, id, title, body, title_key, audiences, has_name, prominence, is_prominent, created_at, title_words, words)
   select $1, d.id, d.title, d.body, d.title_key,
     array(select jsonb_array_elements_text(d.audiences)), d.has_name, d.prominence,
     d.prominence >= (select least from search.prominent), d.created_at,
     to_tsvector('search.english', d.title_words) || to_tsvector('pg_catalog.simple', d.title_words)
       || array_to_tsvector(case when d.has_name then array['/' || $1, '/name'] else array['/' || $1] end),
     setweight(to_tsvector('search.english', d.title_words) || to_tsvector('pg_catalog.simple', d.title_words), 'A')
       || setweight(to_tsvector('search.english', d.body_words) || to_tsvector('pg_catalog.simple', d.body_words), 'D')
       || array_to_tsvector(array['/' || $1])
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::boolean[],
     $10::real[], $11::timestamptz[])
     as d (id, title, body, title_key, title_words, body_words, audiences, has_name, prominence, created_at)
   order by d.id
   on conflict (type, id) do update set title = excluded.title, body = excluded.body, title_key = excluded.title_key,
     audiences = excluded.audiences, has_name = excluded.has_name, prominence = excluded.prominence,
     is_prominent = excluded.is_prominent, title_words = excluded.title_words, words = excluded.words
   where (known.title, known.body, known.audiences, known.has_name)
       is distinct from (excluded.title, excluded.body, excluded.audiences, excluded.has_name)
     or abs(known.prominence - excluded.prominence) > 0.3`,
);
const share = statement<never>(
  'search.share',
  'select pg_advisory_xact_lock_shared(hashtextextended(name, 0)) from unnest($1::text[]) name',
);
const remove = statement<never>(
  'search.remove-documents',
  'delete from search.document where type = $1 and id = any($2)',
);
/** Existing words are filtered out first; the order prevents deadlocks between transactions. */
const addWords = statement<never>(
  'search.add-words-of-audiences',
  `with new as (
     insert into search.word (word, audience)
     select word, audience from unnest($1::text[], $2::text[]) as asked (word, audience)
     where not exists (select from search.word known
       where known.word = asked.word and known.audience = asked.audience)
     order by word, audience on conflict do nothing returning word, audience)
   insert into search.deletion (without, audience, word)
   select d.without, new.audience, d.word from unnest($3::text[], $4::text[]) as d (without, word) join new using (word)
   order by 1, 2, 3 on conflict do nothing`,
);
const forgetWords = statement<never>(
  'search.forget-words-of-audiences',
  `with gone as (
     delete from search.word w using unnest($1::text[], $2::text[]) as g (word, audience)
     where w.word = g.word and w.audience = g.audience returning w.word, w.audience)
   delete from search.deletion d
   using unnest($3::text[], $4::text[]) as form (without, word) join gone using (word)
   where d.without = form.without and d.word = form.word and d.audience = gone.audience`,
);
const wordsAfter = statement<AudienceWord>(
  'search.words-after',
  `select word, audience from search.word where (word, audience) > ($1, $2) order by word, audience limit $3`,
);
const knownIds = statement<{ id: ObjectId }>(
  'search.known-ids',
  'select id from search.document where type = $1 and id > $2 order by id limit $3',
);

/** Demotes up to `count` of the least prominent documents; ties are demoted together. */
const demote = statement<{ demoted: number }>(
  'search.demote',
  `with crossed as (
     select prominence from search.document where prominence >= (select least from search.prominent)
     order by prominence offset $1 limit 1),
   bound as (
     update search.prominent set least = coalesce(
       (select min(prominence) from search.document where prominence > (select prominence from crossed)),
       (select prominence from crossed))
     where exists (select from crossed) returning least),
   demoted as (
     update search.document set is_prominent = false
     where is_prominent and prominence >= (select least from search.prominent)
       and prominence < (select least from bound) returning 1)
   select count(*) as demoted from demoted`,
);
const countProminent = statement<{ count: number }>(
  'search.count-prominent',
  'select count(*) from search.document where is_prominent',
);

/** SQL of documents. */
const lockOf = (type: string): string => `search.${type}`;
/** The lock held exclusively while documents are demoted. */
const PROMINENT_LOCK = 'search.prominent';

export const documentStore = {
  /**
   * Acquires the shared lock of a type for a change to its records; a rebuild holds the lock exclusively. Acquire it
   * after the change and before reading the records, so that the state read is the state that is stored. Does not wait
   * for the result: later statements on the connection run after it.
   */
  share: (tx: Transaction, type: string): void =>
    tx.send(share, [[`${lockOf(type)} `, `${PROMINENT_LOCK} `]]),
  /** Acquires the lock of a type exclusively. */
  async lockExclusively(tx: Transaction, type: string): Promise<void> {
    await tx.lock(lockOf(type));
    tx.send(share, [[`${PROMINENT_LOCK} `]]);
  },
  countProminent: (database: Database): Promise<number> => database.count(countProminent),
  /** Demotes about `count` documents and returns how many were demoted. */
  async demote(tx: Transaction, count: number): Promise<number> {
    await tx.lock(PROMINENT_LOCK);
    return tx.count(demote, [count]);
  },
  /** Does not wait for the result; the commit does. */
  put(tx: Transaction, type: string, documents: StoredDocument[]): void {
    const columns = columnsOf(
      documents,
      'id',
      'title',
      'body',
      'titleKey',
      'titleWords',
      'bodyWords',
      'audiences',
      'hasName',
      'prominence',
      'createdAt',
    );
    tx.send(put, [type, ...columns]);
  },
  remove(tx: Transaction, type: string, ids: ObjectId[]): void {
    tx.send(remove, [type, ids]);
  },
  addWords(tx: Transaction, words: AudienceWord[], forms: WordForm[]): void {
    tx.send(addWords, [...columnsOf(words, 'word', 'audience'), ...columnsOf(forms, 'without', 'word')]);
  },
  /** Returns the current content of documents. */
  textsOf: (
    tx: Transaction,
    type: string,
    ids: ObjectId[],
  ): Promise<{ title: string; body: string; audiences: string[] }[]> =>
    tx.all('select title, body, audiences from search.document where type = $1 and id = any($2)', [
      type,
      ids,
    ]),
  /**
   * Returns whether any document of an audience contains a word. Not a prepared statement: frequent words need another
   * plan.
   */
  hasWord: async (tx: Transaction, { word, audience }: AudienceWord): Promise<boolean> =>
    (await tx.first(
      `select where
         exists (select from search.document where is_prominent and words @@ to_tsquery('pg_catalog.simple', $1)
           and $2 = any(audiences))
         or exists (select from search.document where not is_prominent and words @@ to_tsquery('pg_catalog.simple', $1)
           and $2 = any(audiences))`,
      [`'${word}'`, audience],
    )) !== undefined,
  forgetWords(tx: Transaction, words: AudienceWord[], forms: WordForm[]): void {
    tx.send(forgetWords, [...columnsOf(words, 'word', 'audience'), ...columnsOf(forms, 'without', 'word')]);
  },
  /** Returns words in order, after a position. */
  wordsAfter: (tx: Transaction, after: AudienceWord, limit: number): Promise<AudienceWord[]> =>
    tx.all(wordsAfter, [after.word, after.audience, limit]),
  /** Deletes words without an audience, written by programs older than audiences. */
  async deleteWordsWithoutAudience(database: Database): Promise<void> {
    await database.execute(`delete from search.word where audience = ''`);
    await database.execute(`delete from search.deletion where audience = ''`);
  },
  /** Returns whether the documents must be reindexed because their words are missing. */
  isOutdated: async (database: Database): Promise<boolean> =>
    (await database.first('select from search.outdated')) !== undefined,
  async markCurrent(database: Database): Promise<void> {
    await database.execute('delete from search.outdated');
  },
  idsAfter: async (tx: Transaction, type: string, after: ObjectId, limit: number): Promise<ObjectId[]> =>
    (await tx.all(knownIds, [type, after, limit])).map(({ id }) => id),
};
