-- Sums of the events from before; a migration of its own, so that no table is locked while events are read.

set local timezone = 'UTC';
insert into analytics.own_slot (person, slot, name, own_name, own_type, events)
select person, date_bin('15 minutes', occurred_at, 'epoch'), name, '', '', count(*) from analytics.event
where name in (select no from analytics.name where source = 'client') group by 1, 2, 3;
insert into analytics.own_day (person, day, name, own_name, own_type, events)
select person, slot::date, name, '', '', sum(events)::bigint from analytics.own_slot group by 1, 2, 3;
