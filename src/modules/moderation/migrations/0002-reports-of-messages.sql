-- Reports of messages stood in the schema of chat before there was one worklist. Where they never did, nothing is done.
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
  drop table chat.report;
end $$;
