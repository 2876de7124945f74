-- Parts of texts in indexes; other modules need it, too.
create extension if not exists pg_trgm with schema public;
