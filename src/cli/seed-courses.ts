/** Calls the API as this member; returns the data of the response. */
export type Call = (method: string, path: string, body?: unknown, token?: string) => Promise<unknown>;

interface SeedMember {
  id: string;
  token: string;
}

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
 * lessons and rate, and the first of them is certified.
 * @returns the number of courses
 */
export async function seedCourses(call: Call, educator: SeedMember, members: SeedMember[]): Promise<number> {
  const known = (await call('GET', `/v1/courses?instructorId=${educator.id}`, undefined, educator.token)) as {
    id: string;
  }[];
  const made: string[] = [];
  if (known.length === 0)
    for (const course of COURSES) made.push(await makeCourse(call, course, educator.token));
  const courses = known.length > 0 ? known.map(({ id }) => id) : made;
  for (const courseId of courses)
    for (const [place, { token }] of members.entries()) await study(call, courseId, token, place);
  return courses.length;
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
