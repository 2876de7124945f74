// `node bench/plans-education.ts`: the plans of the queries over courses and videos, with a million enrolments,
// positions in lessons, attempts, ratings, certificates, uploads and videos.
import { onMigratedDatabase } from './planning.ts';

const ROWS = 1_000_000;
const COURSES = 10_000;
const LESSONS = 100_000;

const id = (number: string | number): string => `lpad(to_hex((${number})::int), 24, '0')`;
/** Member 7 is enrolled in a hundred courses; course 7 has ten lessons, including lesson 7. */
const MEMBER = id(7);
const COURSE = id(7);
const LESSON = id(7);

const QUERIES: Record<string, string> = {
  'published courses, a page':
    "select id from education.course where status = 'published' and owner_teaches order by id desc limit 10",
  'published courses, the count':
    "select count(*) from education.course where status = 'published' and owner_teaches",
  'of one category, a page':
    "select id from education.course where status = 'published' and owner_teaches and category = 'category7' order by id desc limit 10",
  'of one educator, the count': `select count(*) from education.course where status = 'draft' and owner_id = ${MEMBER}`,
  'enrolments of one member, a page': `select course_id from education.enrolment join education.course on id = course_id
     where user_id = ${MEMBER} and left_at is null and (status <> 'draft' or owner_id = ${MEMBER} or false) order by enrolled_at desc, course_id limit 10`,
  'enrolments of one member, the count': `select count(*) from education.enrolment
     join education.course on id = course_id
     where user_id = ${MEMBER} and left_at is null and (status <> 'draft' or owner_id = ${MEMBER} or false)`,
  'one enrolment': `select paid_keys from unnest(array[${COURSE}], array[${MEMBER}]) as asked (course_id, user_id)
     join education.enrolment using (course_id, user_id)`,
  'whether a course has enrolments': `select 1 from education.enrolment where course_id = ${COURSE} limit 1`,
  'enrolments of a deleted member': `delete from education.enrolment where user_id = ${MEMBER}`,
  'progress in a course': `select l.id, p.position_seconds from education.lesson l join education.module m on m.id = l.module_id
     left join education.lesson_progress p on p.lesson_id = l.id and p.user_id = ${MEMBER}
     where l.course_id = ${COURSE} and l.status = 'published' order by m.position, l.position`,
  'lessons in the outline of a course': `select l.id, q.question_count from education.lesson l
     left join education.quiz q on q.lesson_id = l.id join education.module m on m.id = l.module_id
     where l.course_id = ${COURSE} and (l.status = 'published' or false) order by m.position, l.position limit 1001`,
  'whether a course is completed': `select count(*) > 0 and bool_and(
       exists (select from education.lesson_progress p
         where p.lesson_id = l.id and p.user_id = ${MEMBER} and p.completed_at is not null)
       and (q.lesson_id is null or exists (select from education.quiz_attempt a
         where a.lesson_id = l.id and a.user_id = ${MEMBER} and a.passed)))
     from education.lesson l left join education.quiz q on q.lesson_id = l.id
     where l.course_id = ${COURSE} and l.status = 'published'`,
  'the next attempt at a quiz': `select coalesce(max(attempt), 0) + 1 from education.quiz_attempt
     where user_id = ${MEMBER} and lesson_id = ${LESSON}`,
  'attempts of a deleted member': `delete from education.quiz_attempt where user_id = ${MEMBER}`,
  'progress of a deleted member': `delete from education.lesson_progress where user_id = ${MEMBER}`,
  'ratings of a deleted member': `delete from education.rating where user_id = ${MEMBER}`,
  'the certificate of a member': `select id from education.certificate where course_id = ${COURSE} and user_id = ${MEMBER}`,
  'certificates of a deleted member': `delete from education.certificate where user_id = ${MEMBER}`,
  'a lesson that is deleted': `delete from education.lesson where id = ${id(77)}`,
  'videos of ten lessons': `select id from media.video
     where subject_id = any(array(select ${id('i')} from generate_series(1, 10) i)) and status = 'complete' and replaced_at is null`,
  'the newest video of a lesson': `select id from media.video where subject_id = ${LESSON}
     and ((status = 'complete' and replaced_at is null)
       or number = (select max(number) from media.video where subject_id = ${LESSON})) order by number desc`,
  'an upload that is expected': `select id from media.upload where subject_id = ${LESSON} and state = 'open'
     and expires_at > now() limit 1`,
  'an upload by its key': `select id from media.upload where key = 'uploads/7.mp4' and subject_id = ${LESSON}`,
  'abandoned uploads': `update media.upload set state = 'expired'
     where state = 'open' and expires_at < now() - interval '1 day'`,
  'uploads that are forgotten': `delete from media.upload where state <> 'open' and expires_at < now() - interval '30 days'`,
  'videos whose job was lost': `select id from media.video
     where status = 'processing' and coalesce(beat_at, created_at) < now() - interval '6 hours'`,
  'uploads of a deleted lesson': `delete from media.upload where subject_id = ${LESSON}`,
  'captions of a video': `select c.language from media.caption c join media.video v using (subject_id) where v.id = ${id(7)}`,
  'captions of ten lessons': `select subject_id, language from media.caption
     where subject_id = any(array(select ${id('i')} from generate_series(1, 10) i))`,
  'objects to be removed': 'select prefix from media.cleanup where due_at <= now() order by due_at limit 100',
};

/** A hundred courses for each of ten thousand members. */
const PAIRS = `(select ${id(`1 + i % ${COURSES}`)} as course_id, ${id(`1 + i / 100`)} as user_id, i
  from generate_series(0, ${ROWS - 1}) i) pair`;

const FILLED = [
  `insert into education.course (id, owner_id, title, category, level, status, created_at, updated_at)
   select ${id('i')}, ${id('i % 1000')}, 'Course', 'category' || i % 50, 'beginner',
     case when i % 10 = 0 then 'draft' else 'published' end, now(), now() from generate_series(1, ${COURSES}) i`,
  `insert into education.module (id, course_id, title, position)
   select ${id('i')}, ${id('i')}, 'Module', 1 from generate_series(1, ${COURSES}) i`,
  `insert into education.lesson (id, module_id, course_id, title, position, status, created_at, updated_at)
   select ${id('i')}, ${id(`1 + (i - 1) % ${COURSES}`)}, ${id(`1 + (i - 1) % ${COURSES}`)}, 'Lesson',
     1 + (i - 1) / ${COURSES}, 'published', now(), now() from generate_series(1, ${LESSONS}) i`,
  `insert into education.quiz (lesson_id, passing_score, questions, updated_at)
   select id, 50, '[]', now() from education.lesson where position = 1`,
  `insert into education.enrolment (course_id, user_id, enrolled_at, left_at)
   select course_id, user_id, now() - i * interval '1 second', case when i % 10 = 0 then now() end from ${PAIRS}`,
  `insert into education.lesson_progress (user_id, lesson_id, course_id, position_seconds, started_at, updated_at, completed_at)
   select user_id, course_id, course_id, 60, now(), now(), now() from ${PAIRS}`,
  `insert into education.quiz_attempt (user_id, lesson_id, attempt, answers, score, passed, created_at)
   select user_id, course_id, 1, '[]', 100, true, now() from ${PAIRS}`,
  `insert into education.rating (course_id, user_id, rating, created_at, updated_at)
   select course_id, user_id, 5, now(), now() from ${PAIRS}`,
  `insert into education.certificate (id, course_id, user_id, name, course_title, completed_at, issued_at)
   select ${id('i')}, course_id, user_id, 'Ada L', 'Course', now(), now() from ${PAIRS}`,
  `insert into media.upload (id, subject_id, owner_id, key, file_name, content_type, bytes, state, expires_at, created_at)
   select ${id('i')}, ${id(`1 + i % ${LESSONS}`)}, ${id('1')}, 'uploads/' || i || '.mp4', 'x.mp4', 'video/mp4', 1,
     case when i % 1000 = 0 then 'open' else 'consumed' end,
     now() - (i % 3000000) * interval '2 seconds', now() from generate_series(1, ${ROWS}) i`,
  `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, duration_ms, renditions,
     poster, completed_at, replaced_at, created_at)
   select ${id('i')}, ${id(`1 + i % ${LESSONS}`)}, ${id('1')}, 'uploads/' || i || '.mp4', '"x"', 1, 'complete', 1000, '{360p}',
     '1/poster.jpg', now(), case when i > ${LESSONS} then now() end, now() from generate_series(1, ${ROWS}) i`,
  `insert into media.caption (subject_id, language, text)
   select ${id('i')}, language, 'WEBVTT' from generate_series(1, ${LESSONS}) i, unnest(array['de', 'en', 'pl']) language`,
  `insert into media.cleanup (prefix, due_at)
   select 'videos/' || i, now() + i * interval '1 minute' from generate_series(-100, 100000) i`,
];

await onMigratedDatabase(async (client) => {
  for (const statement of FILLED) await client.query(statement);
  await client.query('vacuum analyze');
  for (const [name, query] of Object.entries(QUERIES)) {
    await client.query('begin');
    const { rows } = await client.query(`explain (analyze, costs off, buffers off) ${query}`);
    await client.query('rollback');
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
  }
});
