-- Who made what stands at the charting platform under a handle of a script; the same in all rows about it. Only entries
-- that a call of ours made are ever removed.
alter table indicators.entry add column origin text not null default 'unknown'
  check (origin in ('unknown', 'absent', 'sent', 'made', 'found', 'by_hand'));

-- Of the entries so far, ours are those whose last recorded addition was answered `done`. In doubt an entry is not ours.
update indicators.entry e set origin = case
    when not e.is_confirmed and a.is_wanted then 'unknown'
    when l.why = 'Adding the handle at the charting platform: done' then 'made'
    when l.why like 'Done by hand: %' then 'by_hand'
    else 'found' end
  from indicators.access a
  left join lateral (
    select m.why from indicators.move m
    where m.access_id = a.id and (m.why like 'Adding the handle at the charting platform: %' or m.why like 'Done by hand: %')
    order by m.id desc limit 1) l on true
  where a.id = e.access_id;
update indicators.entry e set origin = 'made'
  from indicators.entry o
  where o.pine_id = e.pine_id and o.handle_key = e.handle_key and o.origin = 'made' and e.origin <> 'made';

-- What a person gave while the indicator had no script stands under the empty one.
insert into indicators.entry (access_id, pine_id, handle_key, handle, is_confirmed, origin)
  select a.id, '', lower(a.handle), a.handle, true, 'by_hand'
  from indicators.access a join indicators.indicator i on i.id = a.indicator_id
  where i.pine_id is null and a.is_wanted and a.status in ('active', 'pending_revoke')
    and not exists (select from indicators.entry e where e.access_id = a.id);
alter table indicators.entry alter column origin drop default;
