-- Moves reports of messages from the schema of chat, where they were kept before there was one worklist. The empty table
-- stays until the next release, since processes of the release before may still use it.
do $$
begin
  if to_regclass('chat.report') is null then
    return;
  end if;
  insert into moderation.report (id, kind, subject_id, container_id, author_id, text, reported_by, reason, status,
    created_at, resolved_at, resolved_by)
  select report.id, 'message', message_id, report.room_id, message.user_id, message.message, reported_by, reason, status,
    report.created_at, resolved_at, resolved_by
  from chat.report join chat.message on message.id = message_id;
  delete from chat.report;
end $$;
