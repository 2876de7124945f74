-- Certificates have become searchable: the job `search.catch-up` reads those that exist at the next start.

insert into search.outdated select true where exists (select from search.document) on conflict do nothing;
