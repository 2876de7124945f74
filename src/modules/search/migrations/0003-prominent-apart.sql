-- The prominent documents have indexes of their own, so that frequent words are found among few documents.

create table search.prominent (
  is_only boolean primary key default true check (is_only),
  -- Documents at least as prominent as this are the prominent ones.
  least real not null
);
insert into search.prominent (least)
select coalesce((select prominence from search.document order by prominence desc offset 65536 limit 1), '-infinity');

alter table search.document add column is_prominent boolean not null default true;
drop index search.document_words;
drop index search.document_titles;
drop index search.document_title;
drop index search.document_name;
-- The type is among the words, and in titles also whether they are names: no word of a text has a slash.
update search.document set is_prominent = prominence >= (select least from search.prominent),
  words = words || array_to_tsvector(array['/' || type]),
  title_words = title_words
    || array_to_tsvector(case when has_name then array['/' || type, '/name'] else array['/' || type] end);

create index document_words_1 on search.document using gin (words) with (fastupdate = off) where is_prominent;
create index document_words_2 on search.document using gin (words) with (fastupdate = off) where not is_prominent;
create index document_titles_1 on search.document using gin (title_words) with (fastupdate = off) where is_prominent;
create index document_titles_2 on search.document using gin (title_words) with (fastupdate = off)
  where not is_prominent;
-- The very title, and titles that begin so.
create index document_title on search.document (title_key, type, prominence desc);
create index document_title_1 on search.document (title_key) where is_prominent;
create index document_name_begins_1 on search.document (title_key) where has_name and is_prominent;
create index document_name_begins_2 on search.document (title_key) where has_name and not is_prominent;
-- Statistics of the words are of no use: searches hide their words from the planner.
alter table search.document alter words set statistics -1;
