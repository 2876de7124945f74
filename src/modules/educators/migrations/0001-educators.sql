-- Educators as members see them, who follows them, and what they publish.

create schema educators;
create extension if not exists pg_trgm with schema public;

-- A copy of what identity tells of everybody who is or was an educator, and what only educators have.
create table educators.educator (
  id kernel.object_id primary key,
  username text not null,
  first_name text not null,
  last_name text not null,
  permissions text[] not null,
  -- Title, bio, pictures and the like, as identity keeps them.
  profile jsonb not null,
  -- Names and username without accents, in lower case.
  searchable text not null,
  is_educator boolean not null,
  is_active boolean not null,
  is_visible boolean not null generated always as (is_educator and is_active) stored,
  is_verified boolean not null default false,
  -- When they were put among the featured ones.
  featured_at timestamptz,
  educator_since timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index educator_listing on educators.educator (id desc) where is_visible;
create index educator_featured on educators.educator (featured_at desc, id desc)
  where is_visible and featured_at is not null;
create index educator_search on educators.educator using gin (searchable public.gin_trgm_ops) where is_visible;

-- Narrow, and without any other index: followers of one educator who come by the thousand rewrite one small row.
create table educators.tally (
  educator_id kernel.object_id primary key,
  followers bigint not null default 0 check (followers >= 0),
  announcements bigint not null default 0 check (announcements >= 0)
) with (fillfactor = 30);

create table educators.follow (
  user_id kernel.object_id not null,
  educator_id kernel.object_id not null,
  followed_at timestamptz not null,
  primary key (user_id, educator_id)
);

create table educators.announcement (
  id kernel.object_id primary key,
  educator_id kernel.object_id not null,
  title text not null,
  content text not null,
  category text not null,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  pinned boolean not null,
  tags text[] not null,
  multimedia jsonb not null,
  likes bigint not null default 0 check (likes >= 0),
  comments bigint not null default 0 check (comments >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
-- The feed takes the newest of each educator; an educator's own page has the pinned ones first.
create index announcement_by_educator on educators.announcement (educator_id, id desc);
create index announcement_pinned_first on educators.announcement (educator_id, pinned desc, id desc);

create table educators.announcement_like (
  announcement_id kernel.object_id not null,
  user_id kernel.object_id not null,
  created_at timestamptz not null,
  primary key (announcement_id, user_id)
);
create index like_of_user on educators.announcement_like (user_id, announcement_id);

create table educators.comment (
  id kernel.object_id primary key,
  announcement_id kernel.object_id not null,
  user_id kernel.object_id not null,
  content text not null,
  created_at timestamptz not null
);
create index comment_listing on educators.comment (announcement_id, id desc);

create table educators.story (
  id kernel.object_id primary key,
  educator_id kernel.object_id not null,
  media_type text not null check (media_type in ('image', 'video')),
  media_url text not null,
  thumbnail_url text,
  duration integer not null check (duration >= 0),
  views bigint not null default 0 check (views >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 80);
create index story_by_educator on educators.story (educator_id, expires_at);
create index story_by_expiry on educators.story (expires_at);

create table educators.story_view (
  story_id kernel.object_id not null,
  user_id kernel.object_id not null,
  viewed_at timestamptz not null,
  primary key (story_id, user_id)
);
create index story_viewers on educators.story_view (story_id, viewed_at desc, user_id);
create index story_view_of_user on educators.story_view (user_id, story_id);
