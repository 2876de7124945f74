-- The newest announcement of each educator: of a thousand followed ones, only those with the newest can be on a page.
alter table educators.tally add column newest_id kernel.object_id;
update educators.tally set newest_id =
  (select max(id) from educators.announcement where educator_id = tally.educator_id);
