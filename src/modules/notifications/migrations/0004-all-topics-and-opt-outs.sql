-- What a member does not want to hear of, though they subscribed to all topics of its kind.
create table notifications.topic_opt_out (
  topic text collate "C" not null,
  user_id kernel.object_id not null,
  created_at timestamptz not null,
  primary key (topic, user_id)
);
create index opt_outs_of_user on notifications.topic_opt_out (user_id);
