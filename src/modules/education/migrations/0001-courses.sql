-- Courses, their modules and lessons, and what members do with them.

create schema education;

create table education.course (
  id kernel.object_id primary key,
  owner_id kernel.object_id not null,
  title text not null,
  description text not null default '',
  category text not null default '',
  level text not null check (level in ('beginner', 'intermediate', 'advanced')),
  price numeric(20, 2) not null default 0 check (price >= 0),
  currency text not null default 'Keys',
  thumbnail text,
  trailer_url text,
  requirements text[] not null default '{}',
  learning_outcomes text[] not null default '{}',
  tags text[] not null default '{}',
  syllabus text[] not null default '{}',
  status text not null check (status in ('draft', 'published', 'archived')),
  -- Counts of what members see: published lessons and their seconds. Kept by the transaction that changes them.
  module_count integer not null default 0 check (module_count >= 0),
  lesson_count integer not null default 0 check (lesson_count >= 0),
  duration integer not null default 0 check (duration >= 0),
  enrolled_count bigint not null default 0 check (enrolled_count >= 0),
  rating_count bigint not null default 0 check (rating_count >= 0),
  rating_sum bigint not null default 0 check (rating_sum >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (currency <> 'Keys' or price = trunc(price))
) with (fillfactor = 80);
create index course_listing on education.course (id desc) where status = 'published';
create index course_by_category on education.course (category, id desc) where status = 'published';
create index course_by_owner on education.course (owner_id, id desc);

create table education.module (
  id kernel.object_id primary key,
  course_id kernel.object_id not null references education.course on delete cascade,
  title text not null,
  position integer not null check (position > 0),
  lesson_count integer not null default 0 check (lesson_count >= 0),
  duration integer not null default 0 check (duration >= 0),
  -- Checked at the end of a transaction, so that a reordering is one statement.
  constraint module_position unique (course_id, position) deferrable initially deferred
);

create table education.lesson (
  id kernel.object_id primary key,
  module_id kernel.object_id not null references education.module on delete cascade,
  course_id kernel.object_id not null references education.course on delete cascade,
  title text not null,
  description text not null default '',
  position integer not null check (position > 0),
  -- Seconds: what the educator said or, once there is a video, the video's.
  duration integer not null default 0 check (duration >= 0),
  has_video boolean not null default false,
  thumbnail_url text,
  download_url text,
  resources jsonb not null default '[]',
  preview boolean not null default false,
  status text not null check (status in ('draft', 'published')),
  -- Members who began it.
  view_count bigint not null default 0 check (view_count >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint lesson_position unique (module_id, position) deferrable initially deferred
) with (fillfactor = 80);
create index lesson_by_course on education.lesson (course_id);

create table education.enrolment (
  course_id kernel.object_id not null references education.course,
  user_id kernel.object_id not null,
  -- Whoever has paid once enrols again for nothing.
  paid_keys bigint not null default 0 check (paid_keys >= 0),
  transaction_id text,
  enrolled_at timestamptz not null,
  left_at timestamptz,
  -- Set once, when everything there was had been completed; later lessons do not take it back.
  completed_at timestamptz,
  primary key (course_id, user_id)
);
create index enrolment_by_member on education.enrolment (user_id, enrolled_at desc, course_id) where left_at is null;

create table education.lesson_progress (
  user_id kernel.object_id not null,
  lesson_id kernel.object_id not null references education.lesson on delete cascade,
  course_id kernel.object_id not null,
  position_seconds integer not null check (position_seconds >= 0),
  started_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (user_id, lesson_id)
) with (fillfactor = 80);
create index lesson_progress_of_course on education.lesson_progress (user_id, course_id);
create index lesson_progress_of_lesson on education.lesson_progress (lesson_id);

create table education.rating (
  course_id kernel.object_id not null references education.course on delete cascade,
  user_id kernel.object_id not null,
  rating integer not null check (rating between 1 and 5),
  review text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (course_id, user_id)
);
create index rating_by_member on education.rating (user_id);

create table education.quiz (
  lesson_id kernel.object_id primary key references education.lesson on delete cascade,
  passing_score integer not null check (passing_score between 0 and 100),
  questions jsonb not null,
  updated_at timestamptz not null
);

create table education.quiz_attempt (
  user_id kernel.object_id not null,
  lesson_id kernel.object_id not null references education.lesson on delete cascade,
  attempt integer not null check (attempt > 0),
  answers jsonb not null,
  score numeric(5, 2) not null check (score between 0 and 100),
  passed boolean not null,
  created_at timestamptz not null,
  primary key (user_id, lesson_id, attempt)
);
create index quiz_attempt_of_lesson on education.quiz_attempt (lesson_id);

-- As they were issued: later changes of names and titles leave them alone, and so does the end of the course.
create table education.certificate (
  id kernel.object_id primary key,
  course_id kernel.object_id not null,
  user_id kernel.object_id not null,
  name text not null,
  course_title text not null,
  completed_at timestamptz not null,
  issued_at timestamptz not null,
  constraint certificate_of_course unique (course_id, user_id)
);
create index certificate_by_member on education.certificate (user_id);
