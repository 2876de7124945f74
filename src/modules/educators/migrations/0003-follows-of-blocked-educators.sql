-- A member who blocks an educator no longer follows them. Follows from before that rule end here.
do $$
begin
  if to_regclass('moderation.block') is null then
    return;
  end if;
  with gone as (
    delete from educators.follow using moderation.block
    where blocker_id = follow.user_id and blocked_id = follow.educator_id
    returning follow.educator_id)
  update educators.tally set followers = followers - fewer
  from (select educator_id, count(*) as fewer from gone group by educator_id) of_educator
  where tally.educator_id = of_educator.educator_id;
end $$;
