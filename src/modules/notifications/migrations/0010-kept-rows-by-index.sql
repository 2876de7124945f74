-- What outlives a month is looked for while the table is locked, so it has to be found by indexes: each of these conditions is
-- that of one of them, while both together in one list were that of none.
update kernel.monthly set keeps = $$part.status = 'pending' or part.status = 'batched'$$ where name like '%.delivery';
update kernel.monthly set keeps = $$part.id = any (array(
  select notification_id from notifications.delivery where notification_id < <ends> and status = 'pending'
  union all
  select notification_id from notifications.delivery where notification_id < <ends> and status = 'batched'))$$
where name like '%.notification';
