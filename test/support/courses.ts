import type { Loose } from './client.ts';
import type { TestPlatform } from './platform.ts';

type Member = Awaited<ReturnType<TestPlatform['newMember']>>;

/** Makes a member with the permission of educators. */
export async function newEducator({ newMember, admin }: TestPlatform): Promise<Member> {
  const member = await newMember();
  await admin.post(`/v1/user/${member.id}/permissions/assign`, { permissions: ['educator'] });
  return member;
}

interface CourseOptions {
  owner?: Member;
  course?: object;
  lesson?: object;
  lessons?: number;
}

/** Makes a published course with one module and so many published lessons. */
export async function newCourse(
  platform: TestPlatform,
  { owner, course = {}, lesson = {}, lessons: count = 1 }: CourseOptions = {},
): Promise<{ owner: Member; course: Loose; module: Loose; lessons: Loose[] }> {
  const educator = owner ?? (await newEducator(platform));
  const fields = { title: `Course ${Math.random()}`, description: 'All of it.', ...course };
  const { id } = (await educator.client.post('/v1/courses', fields)).data;
  const module = (await educator.client.post(`/v1/courses/${id}/modules`, { title: 'Module 1' })).data;
  const lessons: Loose[] = [];
  for (let number = 1; number <= count; number++) {
    const draft = {
      moduleId: module.id,
      title: `Lesson ${number}`,
      status: 'published',
      duration: 60,
      ...lesson,
    };
    lessons.push((await educator.client.post('/v1/lessons', draft)).data);
  }
  const published = await educator.client.put(`/v1/courses/${id}`, { status: 'published' });
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
  return { owner: educator, course: published.data, module, lessons };
}
