-- Uploads, videos and captions. What a subject is, such as a lesson, is the business of the module that has it.

create schema media;

-- Files that clients were allowed to send.
create table media.upload (
  id kernel.object_id primary key,
  subject_id kernel.object_id not null,
  owner_id kernel.object_id not null,
  key text collate "C" not null unique,
  file_name text not null,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  -- open: may arrive; consumed: became a video; expired: never completed, and removed
  state text not null check (state in ('open', 'consumed', 'expired')),
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index upload_by_subject on media.upload (subject_id, id desc);
create index upload_to_expire on media.upload (expires_at) where state = 'open';

create table media.video (
  id kernel.object_id primary key,
  -- Orders the videos of a subject by their completed uploads.
  number bigint generated always as identity,
  subject_id kernel.object_id not null,
  owner_id kernel.object_id not null,
  source_key text collate "C" not null,
  source_etag text not null,
  source_bytes bigint not null,
  status text not null check (status in ('processing', 'complete', 'failed')),
  progress int not null default 0 check (progress between 0 and 100),
  -- Grows with each worker that begins; one that finds another number has lost the video.
  attempt int not null default 0,
  -- Attempts that failed, or whose end nobody heard of.
  spent int not null default 0,
  -- The worker's sign of life.
  beat_at timestamptz,
  error_code text,
  error_message text,
  duration_ms int,
  -- Names of the renditions, the largest first.
  renditions text[],
  -- Below the folder of the video.
  poster text,
  completed_at timestamptz,
  -- Another video of the subject took its place.
  replaced_at timestamptz,
  created_at timestamptz not null,
  constraint complete_videos_can_be_played check (
    (status = 'complete') = (completed_at is not null)
    and (status <> 'complete'
      or (duration_ms is not null and renditions is not null and poster is not null))
  ),
  constraint failed_videos_say_why check ((status = 'failed') = (error_code is not null)),
  check (replaced_at is null or status = 'complete')
);
create unique index video_of_subject_that_plays on media.video (subject_id)
  where status = 'complete' and replaced_at is null;
create unique index video_of_subject_in_processing on media.video (subject_id) where status = 'processing';
create index video_by_subject on media.video (subject_id, number desc);
create index video_in_processing on media.video (beat_at) where status = 'processing';

-- Parts of a video that are made and stored: what a killed worker leaves to the next.
create table media.part (
  video_id kernel.object_id not null references media.video on delete cascade,
  name text not null,
  made jsonb not null,
  primary key (video_id, name)
);

create table media.caption (
  subject_id kernel.object_id not null,
  language text collate "C" not null,
  text text not null,
  primary key (subject_id, language)
);

-- Objects to remove, all that begin with the prefix.
create table media.cleanup (
  prefix text collate "C" primary key,
  due_at timestamptz not null
);
create index cleanup_by_time on media.cleanup (due_at);
