import type { Transaction } from '../../kernel/database/queries.ts';
import type { Seed, SeedMember, SeedStage } from '../seed.ts';

type Call = SeedStage['call'];

export const educationSeed: Seed = {
  small: async ({ call, educator, members }) => {
    const { count, isNew } = await seedCourses(call, educator, members);
    return { what: `${count} courses, in which the others are enrolled`, isNew };
  },
  large: async (tx) => {
    await courses(tx);
    await studies(tx);
    await facts(tx);
    return 'courses and enrolments';
  },
};

const TOPICS =
  'Gold Silver Copper Crude EURUSD GBPJPY Nasdaq Bitcoin Options Volatility Scalping Swing Momentum Breakouts';

const COURSES = [
  {
    title: 'Reading the tape',
    description: 'From bids and offers to trades.',
    category: 'basics',
    level: 'beginner',
    price: 0,
    tags: ['futures'],
    modules: [
      { title: 'Foundations', lessons: ['What a tape is', 'Bids and offers', 'Who trades'] },
      { title: 'Practice', lessons: ['A quiet morning', 'News at noon'] },
    ],
  },
  {
    title: 'Risk before reward',
    description: 'How much to lose, and when to stop.',
    category: 'risk',
    level: 'intermediate',
    price: 25,
    tags: ['risk', 'psychology'],
    modules: [
      { title: 'Sizes', lessons: ['One per cent', 'Drawdowns'] },
      { title: 'Rules', lessons: ['Stops', 'Days off'] },
    ],
  },
];

/** The quiz of the last lesson of each course. */
const QUIZ = {
  passingScore: 50,
  questions: [
    { text: 'What comes first?', options: ['Risk', 'Reward'], correct: [0] },
    { text: 'Which of these are orders?', options: ['Limit', 'Hope', 'Stop'], correct: [0, 2] },
  ],
};
const RIGHT_ANSWERS = { answers: [[0], [0, 2]] };

const LESSON_SECONDS = 600;

/**
 * Creates courses with lessons, unless the educator has some, and lets members study: they enrol, reach different
 * lessons and rate, and the first member earns a certificate.
 * @returns the number of courses, and whether they are new
 */
async function seedCourses(call: Call, educator: SeedMember, members: SeedMember[]) {
  const known = (await call('GET', `/v1/courses?instructorId=${educator.id}`, undefined, educator.token)) as {
    id: string;
  }[];
  const made: string[] = [];
  if (known.length === 0)
    for (const course of COURSES) made.push(await makeCourse(call, course, educator.token));
  const courses = known.length > 0 ? known.map(({ id }) => id) : made;
  for (const courseId of courses)
    for (const [place, { token }] of members.entries()) await study(call, courseId, token, place);
  return { count: courses.length, isNew: known.length === 0 };
}

async function makeCourse(
  call: Call,
  { modules, ...course }: (typeof COURSES)[number],
  token: string,
): Promise<string> {
  const { id } = (await call('POST', '/v1/courses', course, token)) as { id: string };
  let last = '';
  for (const { title, lessons } of modules) {
    const module = (await call('POST', `/v1/courses/${id}/modules`, { title }, token)) as { id: string };
    for (const [place, lesson] of lessons.entries()) {
      const draft = {
        moduleId: module.id,
        title: lesson,
        duration: LESSON_SECONDS,
        preview: place === 0,
        status: 'published',
      };
      last = ((await call('POST', '/v1/lessons', draft, token)) as { id: string }).id;
    }
  }
  await call('PUT', `/v1/lessons/${last}/quiz`, QUIZ, token);
  await call('PUT', `/v1/courses/${id}`, { status: 'published' }, token);
  return id;
}

/** @param place number of lessons left uncompleted */
async function study(call: Call, courseId: string, token: string, place: number): Promise<void> {
  await call('POST', `/v1/courses/${courseId}/enroll`, undefined, token);
  const progress = (await call('GET', `/v1/courses/${courseId}/progress`, undefined, token)) as {
    lessons: { lessonId: string }[];
  };
  const { lessons } = progress;
  const completed = lessons.slice(0, Math.max(0, lessons.length - place));
  for (const { lessonId } of completed) {
    const end = { positionSeconds: LESSON_SECONDS, completed: true };
    await call('PUT', `/v1/lessons/${lessonId}/progress`, end, token);
  }
  const next = lessons[completed.length];
  if (next) await call('PUT', `/v1/lessons/${next.lessonId}/progress`, { positionSeconds: 95 }, token);
  const last = lessons.at(-1);
  if (!next && last) await call('POST', `/v1/lessons/${last.lessonId}/quiz/attempts`, RIGHT_ANSWERS, token);
  await call('PUT', `/v1/courses/${courseId}/rating`, { rating: 5 - (place % 3) }, token);
}

/** Courses of five lessons each, two per educator. */
async function courses(tx: Transaction): Promise<void> {
  await tx.execute(
    `create temporary table seeded_course as
     select pg_temp.new_id(s.at) as id, s.id as owner_id, s.at + interval '2 days' as at,
       pg_temp.pick($1) || ' ' || pg_temp.pick('basics masterclass workshop playbook') || ' ' || (s.n * 2 + k) as title
     from seeded_member s, generate_series(0, 1) k where s.teaches`,
    [TOPICS],
  );
  await tx.execute(
    `insert into education.course (id, owner_id, title, description, category, level, status, module_count, lesson_count,
       duration, created_at, updated_at)
     select id, owner_id, title, 'Everything that one needs to know about ' || title || '.', pg_temp.pick('metals forex indices'),
       pg_temp.pick('beginner intermediate advanced'), 'published', 1, 5, 3000, at, at from seeded_course`,
  );
  await tx.execute(
    'create temporary table seeded_module as select id as course_id, pg_temp.new_id(at) as id, at from seeded_course',
  );
  await tx.execute(
    `insert into education.module (id, course_id, title, position, lesson_count, duration)
     select id, course_id, 'Module 1', 1, 5, 3000 from seeded_module`,
  );
  await tx.execute(
    `create temporary table seeded_lesson as
     select pg_temp.new_id(m.at) as id, m.id as module_id, m.course_id, k as place, m.at
     from seeded_module m, generate_series(1, 5) k`,
  );
  await tx.execute(
    `insert into education.lesson (id, module_id, course_id, title, position, duration, status, created_at, updated_at)
     select id, module_id, course_id, 'Lesson ' || place, place, 600, 'published', at, at from seeded_lesson`,
  );
  await tx.execute('insert into seeded_watchable (id, owner_id) select id, owner_id from seeded_course');
}

async function studies(tx: Transaction): Promise<void> {
  await tx.execute(
    `insert into education.enrolment (course_id, user_id, enrolled_at)
     select c.id, s.id, greatest(s.at, c.at) + random() * (now() - greatest(s.at, c.at))
     from seeded_member s join seeded_course c on random() + 0 * length(c.title) < s.zeal * 0.15 and not s.teaches`,
  );
  await tx.execute(
    `insert into education.lesson_progress (user_id, lesson_id, course_id, position_seconds, started_at, updated_at, completed_at)
     select e.user_id, l.id, e.course_id, 600, done, done, done from education.enrolment e
     join seeded_lesson l using (course_id) join seeded_member s on s.id = e.user_id
     cross join lateral (select e.enrolled_at + random() * (now() - e.enrolled_at) as done) d where random() + 0 * l.place < 0.15 + 0.6 * s.zeal`,
  );
  await tx.execute(
    `update education.enrolment e set completed_at = p.at from (
       select course_id, user_id, max(completed_at) as at from education.lesson_progress
       where course_id in (select id from seeded_course) group by 1, 2 having count(*) = 5) p
     where p.course_id = e.course_id and p.user_id = e.user_id`,
  );
  await tx.execute(
    `update education.course c set enrolled_count = e.n from (
     select course_id, count(*) as n from education.enrolment group by 1) e where c.id = e.course_id`,
  );
}

async function facts(tx: Transaction): Promise<void> {
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'course.enrolled', 'education', user_id, enrolled_at
     from education.enrolment where user_id in (select id from seeded_member)`,
  );
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'lesson.completed', 'education', user_id, completed_at
     from education.lesson_progress where user_id in (select id from seeded_member)`,
  );
  await tx.execute(
    `insert into seeded_fact (name, type, user_id, at) select 'course.completed', 'education', user_id, completed_at
     from education.enrolment where completed_at is not null and user_id in (select id from seeded_member)`,
  );
}
