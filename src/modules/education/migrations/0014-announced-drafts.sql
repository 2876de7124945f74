-- A draft that has students or ratings was published once, and was told of before that was recorded: publishing it again
-- tells nobody.
update education.course set announced_at = created_at
where status = 'draft' and announced_at is null and (enrolled_count > 0 or rating_count > 0);
