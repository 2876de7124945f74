-- A text that was changed after a verdict can be reported again, so a member may have several reports of one item.
-- The constraint keeps its name, by which processes of the release before refer to it.
alter table moderation.report
  -- How many earlier reports of the item the member has.
  add column round integer not null default 0,
  -- Digest of the whole text, of which the report keeps the beginning. Reports from before this column have none.
  add column text_digest bytea,
  drop constraint report_once,
  add constraint report_once unique (kind, subject_id, reported_by, round);
