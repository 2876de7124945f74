-- Reviews can be reported by their id. Ratings of former programs get one, too.
alter table education.rating add column id kernel.object_id;
alter table education.rating alter column id set default left(replace(gen_random_uuid()::text, '-', ''), 24);
update education.rating set id = left(replace(gen_random_uuid()::text, '-', ''), 24) where id is null;
alter table education.rating alter column id set not null;
create unique index rating_by_id on education.rating (id);
