-- What an edited message said before, for reports of it.
create table chat.earlier_text (
  id kernel.object_id primary key,
  message_id kernel.object_id not null,
  user_id kernel.object_id not null,
  message text not null,
  replaced_at timestamptz not null
);
create index earlier_text_of_message on chat.earlier_text (message_id, id);
create index earlier_text_of_user on chat.earlier_text (user_id, id);
create index earlier_text_by_time on chat.earlier_text (replaced_at);
-- Whether somebody deleted a message as staff, and not as its author or as the owner of its room then; null for those that were
-- deleted before this was kept.
alter table chat.message add column is_decided boolean;
