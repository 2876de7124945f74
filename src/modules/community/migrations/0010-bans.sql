-- Who may not join a community again. Not with the memberships, which end with a ban.
create table community.ban (
  community_id kernel.object_id not null,
  user_id kernel.object_id not null,
  banned_at timestamptz not null,
  primary key (community_id, user_id)
);
-- Where a member is banned, for the export of their data and when they are deleted.
create index ban_of_user on community.ban (user_id, community_id);
