-- Whether the owner may teach. Set with every change of the owner's account; their published courses are listed and sold
-- only while they may.
alter table education.course add column owner_teaches boolean not null default true;

create index course_open on education.course (id desc) where status = 'published' and owner_teaches;
create index course_open_by_category on education.course (category, id desc)
  where status = 'published' and owner_teaches;
drop index education.course_listing;
drop index education.course_by_category;
