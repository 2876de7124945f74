-- What a member has posted and said, for their own statistics.
create index post_by_user on community.post (user_id);
create index comment_by_user on community.comment (user_id);
