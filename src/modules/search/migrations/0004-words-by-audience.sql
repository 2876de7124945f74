-- Words correct typing mistakes of those members only who may find a document that has them: each word is kept by the
-- audiences of its documents. All words are dropped, because nothing says whose they were; the job `search.catch-up`
-- reads the documents again at the next start. Until then nothing is corrected. The program that is still running writes
-- words without an audience, which correct nothing and which every rebuild deletes.

truncate search.word, search.deletion;
alter table search.word add column audience text collate "C" not null default '';
alter table search.word drop constraint word_pkey;
alter table search.word add primary key (word, audience);
alter table search.deletion add column audience text collate "C" not null default '';
alter table search.deletion drop constraint deletion_pkey;
alter table search.deletion add primary key (without, audience, word);

-- Has a row while documents have to be read again.
create table search.outdated (is_only boolean primary key default true check (is_only));
insert into search.outdated select true where exists (select from search.document);

-- Whether a search counts among the members who searched for the query. Those that found only what few may find do not.
alter table search.history add column is_counted boolean not null default true;
