-- A draft that all students have left was published and told of once, too; enrolments of those who left are kept, and so are
-- certificates.
update education.course c set announced_at = created_at
where status = 'draft' and announced_at is null
  and (exists (select from education.enrolment e where e.course_id = c.id)
    or exists (select from education.certificate t where t.course_id = c.id));
