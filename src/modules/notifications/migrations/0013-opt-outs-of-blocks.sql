-- Whether the member opted out themselves, or a block between them and the other did, of which they are not told.
alter table notifications.topic_opt_out add column is_own boolean not null default true;
