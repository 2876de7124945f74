-- Communities, what their members post there, and what others say of it.

create schema community;

create table community.community (
  id kernel.object_id primary key,
  name text not null,
  description text not null default '',
  created_by kernel.object_id not null,
  member_count bigint not null default 0 check (member_count >= 0),
  post_count bigint not null default 0 check (post_count >= 0),
  created_at timestamptz not null
) with (fillfactor = 70);

create table community.member (
  community_id kernel.object_id not null,
  user_id kernel.object_id not null,
  joined_at timestamptz not null,
  primary key (community_id, user_id)
);

create table community.post (
  id kernel.object_id primary key,
  community_id kernel.object_id not null,
  user_id kernel.object_id not null,
  content text not null,
  comment_count bigint not null default 0 check (comment_count >= 0),
  reaction_count bigint not null default 0 check (reaction_count >= 0),
  created_at timestamptz not null
) with (fillfactor = 70);
create index post_listing on community.post (community_id, id desc);

create table community.comment (
  id kernel.object_id primary key,
  post_id kernel.object_id not null references community.post on delete cascade,
  user_id kernel.object_id not null,
  content text not null,
  created_at timestamptz not null
);
create index comment_listing on community.comment (post_id, id desc);

create table community.reaction (
  post_id kernel.object_id not null references community.post on delete cascade,
  user_id kernel.object_id not null,
  type text not null check (type in ('like', 'love', 'celebrate', 'insightful')),
  created_at timestamptz not null,
  primary key (post_id, user_id)
);
