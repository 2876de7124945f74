-- Events by hour and name in a few bytes each, from which funnels are read: an eighth of the bytes of the rows, in the order
-- of time. They say no more than the events themselves.
create table analytics.packed (
  hour timestamptz not null,
  name smallint not null,
  -- How many events `chain` holds. Where more have been counted since, the hour is read from the events.
  events bigint not null,
  -- Eight bytes for each event, in the order of time: milliseconds since the hour began, and the member's number.
  chain bytea not null,
  primary key (hour, name)
);
-- Read by the megabyte: to decompress it would take longer than to read it.
alter table analytics.packed alter column chain set storage external;

-- Hours in which events of a name were counted that are not packed yet.
create table analytics.unpacked (
  hour timestamptz not null,
  name smallint not null,
  primary key (hour, name)
);
insert into analytics.unpacked (hour, name)
select distinct date_bin('1 hour', start, 'epoch'), name from analytics.slot
where start >= (select min(occurred_at) from analytics.event) - interval '1 hour';
