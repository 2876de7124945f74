-- What administrators and moderators changed or removed of others, until its author has been told.
create table moderation.intervention (
  id kernel.object_id primary key,
  kind text not null,
  subject_id kernel.object_id not null,
  author_id kernel.object_id not null,
  action text not null check (action in ('changed', 'removed')),
  reason text,
  acted_at timestamptz not null
);
create index intervention_of_author on moderation.intervention (author_id);
create index intervention_by_time on moderation.intervention (acted_at);

-- Members who may not write: in no room, and neither posts nor comments.
create table moderation.mute (
  user_id kernel.object_id primary key,
  muted_until timestamptz not null,
  muted_by text not null,
  muted_at timestamptz not null
);
