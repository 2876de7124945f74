-- Tables that grow for ever are divided by month, so that old months go by dropping a table instead of deleting millions
-- of rows. A table declares itself here in a migration; the program's jobs add the coming months and drop the old ones.
--
-- A table with rows is divided in three migrations, none of which holds a lock for longer than moments:
-- 1. `prepare_months` promises that all rows lie before a month at least two months ahead.
-- 2. `validate constraint`, outside of a transaction, reads the table once, while it is read and written.
-- 3. `divide_by_month` makes what there is the first part of the divided table, without reading it.

create table kernel.monthly (
  -- With its schema.
  name text primary key,
  -- Object ids, which begin with their second, or times or days.
  key_column text not null,
  -- Rows from before it are in the part `<table>_before`; null if there is none.
  first_month date,
  -- A condition for rows, called "part", that outlive their month. `<ends>` stands for the least key of the month after.
  keeps text
);

-- The month, by UTC, in which an object id was made.
create function kernel.month_of_id(id text) returns date language sql immutable strict as $$
  select date_trunc('month', timestamp 'epoch' + (('x' || left(id, 8))::bit(32)::bigint) * interval '1 second')::date
$$;

create function kernel.key_type(of_table regclass, key text) returns regtype language sql stable as $$
  select coalesce(nullif(t.typbasetype, 0), t.oid)::regtype from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = of_table and a.attname = key
$$;

-- The least value of a column in a month.
create function kernel.month_bound(of_table regclass, key text, month date) returns text language sql stable as $$
  select case kernel.key_type(of_table, key)
    when 'date'::regtype then month::text
    when 'timestamptz'::regtype then month::text || ' 00:00:00+00'
    else lpad(to_hex(extract(epoch from month::timestamp)::bigint), 8, '0') || repeat('0', 16)
  end
$$;

-- `follows`: another table, whose months are those of this one.
create function kernel.prepare_months(of_name text, key text, keep text default null, follows text default null)
returns void language plpgsql as $$
declare
  newest text;
  bound date := (date_trunc('month', now() at time zone 'UTC') + interval '2 months')::date;
begin
  if follows is not null then
    select first_month into strict bound from kernel.monthly where name = follows;
  else
    execute format('select max(%I)::text from %s', key, of_name) into newest;
    bound := greatest(bound, (kernel.month_of_id(newest) + interval '2 months')::date);
  end if;
  insert into kernel.monthly (name, key_column, first_month, keeps) values (of_name, key, bound, keep);
  execute format('alter table %s add constraint before_months check (%I < %L) not valid',
    of_name, key, kernel.month_bound(of_name::regclass, key, bound));
end $$;

create function kernel.divide_by_month(of_name text) returns void language plpgsql as $$
declare
  one kernel.monthly;
  schema text := split_part(of_name, '.', 1);
  short text := split_part(of_name, '.', 2);
  former text := format('%I.%I', schema, short || '_before');
  other text := format('%I.%I', schema, short || '_other');
  made record;
begin
  select * into strict one from kernel.monthly where name = of_name;
  execute format('alter table %s rename to %I', of_name, short || '_before');
  execute format('create table %s (like %s including defaults including constraints including generated including storage)
    partition by range (%I)', of_name, former, one.key_column);
  execute format('alter table %s drop constraint before_months', of_name);
  for made in
    select c.relname as index, con.conname as constraint, pg_get_indexdef(i.indexrelid) as definition,
      pg_get_constraintdef(con.oid) as constraint_definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    left join pg_constraint con on con.conindid = i.indexrelid and con.contype in ('p', 'u')
    where i.indrelid = former::regclass
  loop
    execute format('alter index %I.%I rename to %I', schema, made.index, 'before_' || made.index);
    if made.constraint is not null then
      execute format('alter table %s add constraint %I %s', of_name, made.constraint, made.constraint_definition);
    else
      execute regexp_replace(made.definition, ' ON \S+ ', format(' ON ONLY %s ', of_name));
    end if;
  end loop;
  -- Finds the indexes of the former table, and so builds none; the promise that was validated spares it reading the rows.
  execute format('alter table %s attach partition %s for values from (minvalue) to (%L)',
    of_name, former, kernel.month_bound(of_name::regclass, one.key_column, one.first_month));
  execute format('alter table %s drop constraint before_months', former);
  -- Takes what no month is there for; `add_month` takes it from here.
  execute format('create table %s partition of %s default', other, of_name);
  perform kernel.copy_options(former::regclass, other);
  perform kernel.add_month(of_name, (one.first_month + n * interval '1 month')::date) from generate_series(0, 1) n;
end $$;

-- Parts are stored as their table was: they are given its storage parameters.
create function kernel.copy_options(from_table regclass, to_name text) returns void language plpgsql as $$
declare
  options text := (select array_to_string(reloptions, ', ') from pg_class where oid = from_table);
begin
  if options <> '' then execute format('alter table %s set (%s)', to_name, options); end if;
end $$;

-- Of the functions below, which change the schema, the rights are those of whoever migrated: the program needs none.

-- The parts of a table that end, the oldest first; `ends` is the first day after a part.
create function kernel.months_of(of_name text) returns table (part text, ends date) language sql stable as $$
  select c.relname::text, case when c.relname = split_part(of_name, '.', 2) || '_before' then m.first_month
    else (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month')::date end as ends
  from kernel.monthly m join pg_inherits i on i.inhparent = m.name::regclass join pg_class c on c.oid = i.inhrelid
  where m.name = of_name and (c.relname ~ '_\d{4}_\d{2}$' or c.relname = split_part(of_name, '.', 2) || '_before')
  order by ends
$$;

create function kernel.add_month(of_name text, month date) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  one kernel.monthly;
  part text := format('%I.%I', split_part(of_name, '.', 1), split_part(of_name, '.', 2) || to_char(month, '_YYYY_MM'));
  other text := format('%I.%I', split_part(of_name, '.', 1), split_part(of_name, '.', 2) || '_other');
  starts text;
  ends text;
  columns text;
begin
  select * into strict one from kernel.monthly where name = of_name;
  if month < one.first_month or to_regclass(part) is not null then return; end if;
  starts := kernel.month_bound(of_name::regclass, one.key_column, month);
  ends := kernel.month_bound(of_name::regclass, one.key_column, (month + interval '1 month')::date);
  execute format('create table %s (like %s including defaults including constraints including generated including storage)', part, of_name);
  perform kernel.copy_options(other::regclass, part);
  columns := kernel.columns_of(of_name::regclass);
  execute format('with moved as (delete from %s where %I >= %L and %I < %L returning %s) insert into %s (%s) select %s from moved',
    other, one.key_column, starts, one.key_column, ends, columns, part, columns, columns);
  execute format('alter table %s attach partition %s for values from (%L) to (%L)', of_name, part, starts, ends);
end $$;

create function kernel.columns_of(of_table regclass) returns text language sql stable as $$
  select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
  where attrelid = of_table and attnum > 0 and not attisdropped and attgenerated = ''
$$;

create function kernel.condition_of(one kernel.monthly, ends date) returns text language sql stable as $$
  select replace(coalesce(one.keeps, 'false'), '<ends>', quote_literal(kernel.month_bound(one.name::regclass, one.key_column, ends)))
$$;

-- Drops a part that ended before a day. Rows that outlive it stay in `<table>_other`.
create function kernel.drop_month(of_name text, of_part text, before date) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  one kernel.monthly;
  part text := format('%I.%I', split_part(of_name, '.', 1), of_part);
  columns text := kernel.columns_of(of_name::regclass);
  month_ends date := (select ends from kernel.months_of(of_name) m where m.part = of_part);
begin
  select * into strict one from kernel.monthly where name = of_name;
  if month_ends is null or month_ends > before then
    raise exception '% is no part of % that ended before %', of_part, of_name, before;
  end if;
  if one.keeps is not null then
    execute format('alter table %s detach partition %s', of_name, part);
    execute format('insert into %s (%s) select %s from %s as part where %s', of_name, columns, columns, part,
      kernel.condition_of(one, month_ends));
  end if;
  execute format('drop table %s', part);
end $$;

-- The month of the oldest row, from a day on, that no part is there for; null if there is none.
create function kernel.oldest_in_other(of_name text, since date) returns date language plpgsql stable as $$
declare
  key text := (select key_column from kernel.monthly where name = of_name);
  kind regtype := kernel.key_type(of_name::regclass, key);
  oldest text;
begin
  execute format('select min(%I)::text from %I.%I where %I >= %L', key, split_part(of_name, '.', 1),
    split_part(of_name, '.', 2) || '_other', key, kernel.month_bound(of_name::regclass, key, since)) into oldest;
  return case kind
    when 'date'::regtype then date_trunc('month', oldest::timestamp)::date
    when 'timestamptz'::regtype then date_trunc('month', oldest::timestamptz at time zone 'UTC')::date
    else kernel.month_of_id(oldest)
  end;
end $$;

-- Deletes some rows from before a day that no part is there for, such as those that had outlived theirs; returns how many.
-- It deletes them from the whole table, whose triggers count them.
create function kernel.delete_from_other(of_name text, before date, most integer) returns bigint language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  one kernel.monthly;
  keeps text;
  kind regtype;
  keys text[];
  deleted bigint;
begin
  select * into strict one from kernel.monthly where name = of_name;
  keeps := kernel.condition_of(one, before);
  kind := kernel.key_type(of_name::regclass, one.key_column);
  execute format('select array_agg(distinct key) from (select %I::text as key from %I.%I as part
    where %I < %L and not coalesce(%s, false) limit %s) few',
    one.key_column, split_part(of_name, '.', 1), split_part(of_name, '.', 2) || '_other', one.key_column,
    kernel.month_bound(of_name::regclass, one.key_column, before), keeps, most) into keys;
  if keys is null then return 0; end if;
  execute format('delete from %s as part where %I = any ($1::%s[]) and not coalesce(%s, false)',
    of_name, one.key_column, kind, keeps) using keys;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
