-- What every owner of courses has published and how it is rated, kept by the trigger below: lists of educators show it
-- for fifty at once.
create table education.teaching (
  owner_id kernel.object_id primary key,
  courses bigint not null default 0,
  rating_sum bigint not null default 0,
  rating_count bigint not null default 0
) with (fillfactor = 50);

create function education.count_teaching() returns trigger language plpgsql as $$
begin
  insert into education.teaching as kept (owner_id, courses, rating_sum, rating_count)
  select owner_id, sum(courses), sum(ratings), sum(votes) from (
    select new.owner_id as owner_id, 1 as courses, new.rating_sum as ratings, new.rating_count as votes
    where tg_op <> 'DELETE' and new.status = 'published'
    union all
    select old.owner_id, -1, -old.rating_sum, -old.rating_count where tg_op <> 'INSERT' and old.status = 'published'
  ) changes group by owner_id order by owner_id
  on conflict (owner_id) do update set courses = kept.courses + excluded.courses,
    rating_sum = kept.rating_sum + excluded.rating_sum, rating_count = kept.rating_count + excluded.rating_count;
  return null;
end $$;
create trigger teaching_counted after insert or delete on education.course
  for each row execute function education.count_teaching();
create trigger teaching_recounted after update on education.course for each row
  when ((old.owner_id, old.status, old.rating_sum, old.rating_count)
    is distinct from (new.owner_id, new.status, new.rating_sum, new.rating_count))
  execute function education.count_teaching();
insert into education.teaching (owner_id, courses, rating_sum, rating_count)
  select owner_id, count(*), sum(rating_sum), sum(rating_count) from education.course
  where status = 'published' group by owner_id;
