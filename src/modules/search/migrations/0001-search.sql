-- What can be found, as it reads at each commit; what members searched for; and the words there are, to forgive mistakes.

create schema search;

-- English, without leaving out any word: a title may be made of common ones. Texts come normalized by the program: lower
-- case, without accents, words apart.
create text search dictionary search.stem (template = snowball, language = english);
create text search configuration search.english (copy = pg_catalog.simple);
alter text search configuration search.english
  alter mapping for asciiword, word, numword with search.stem;

create table search.document (
  type text collate "C" not null,
  id text collate "C" not null,
  -- As others see them.
  title text not null,
  body text not null,
  -- Normalized, for comparing whole titles and beginnings.
  title_key text collate "C" not null,
  -- Who may find it.
  audiences text[] not null,
  has_name boolean not null,
  -- How prominent it is by its type, its age and how many have to do with it; what equal matches are ordered by.
  prominence real not null,
  created_at timestamptz not null,
  title_words tsvector not null,
  -- Stems and words as they stand, those of the title first.
  words tsvector not null,
  primary key (type, id)
);
create index document_words on search.document using gin (words) with (fastupdate = off);
create index document_titles on search.document using gin (title_words) with (fastupdate = off);
create index document_prominence on search.document (prominence desc, id desc);
create index document_of_type on search.document (type, prominence desc, id desc);
-- Suggestions: the most prominent names that begin with one, two or three letters; longer beginnings by range.
create index document_name_1 on search.document (left(title_key, 1), prominence desc) where has_name;
create index document_name_2 on search.document (left(title_key, 2), prominence desc) where has_name;
create index document_name_3 on search.document (left(title_key, 3), prominence desc) where has_name;
create index document_name on search.document (title_key) where has_name;
alter table search.document alter words set statistics 1000;

-- Words of documents, and each with one letter left out: a word with one mistake meets the right one there.
create table search.word (word text collate "C" primary key);
create table search.deletion (
  without text collate "C" not null,
  word text collate "C" not null,
  primary key (without, word)
);

-- What a member searched for: one row a query.
create table search.history (
  user_id text collate "C" not null,
  -- Normalized.
  key text collate "C" not null,
  query text not null,
  result_count bigint not null,
  searched_at timestamptz not null,
  primary key (user_id, key)
);
create index history_of_member on search.history (user_id, searched_at desc);

-- How many members have searched for it; kept with the history.
create table search.popular (
  key text collate "C" primary key,
  members bigint not null check (members >= 0)
) with (fillfactor = 70);
create index popular_suggested on search.popular (key, members) where members >= 5;
