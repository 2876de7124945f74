-- The digest of the link whose follower ended the access of whoever signed up: pressing its button again ends nothing, and
-- answers the same.
alter table identity.email_verification add column ended_by bytea;
