import {
  assignPermissions,
  createCourse,
  createCourseModule,
  createLesson,
  updateCourse,
} from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import type { Member, TestPlatform } from './platform.ts';

/** Creates a member with the permission `educator`. */
export async function newEducator({ newMember, admin }: TestPlatform): Promise<Member> {
  const member = await newMember();
  await admin.call(assignPermissions, {
    params: { userId: member.id },
    body: { permissions: ['educator'] },
  });
  return member;
}

type Course = TypesOf<typeof updateCourse>['data'];
type Module = TypesOf<typeof createCourseModule>['data'];
type Lesson = TypesOf<typeof createLesson>['data'];

interface CourseOptions {
  owner?: Member;
  course?: Partial<TypesOf<typeof createCourse>['body']>;
  lesson?: Partial<TypesOf<typeof createLesson>['body']>;
  lessons?: number;
}

/** Creates a published course with one module and some published lessons. */
export async function newCourse(
  platform: TestPlatform,
  { owner, course = {}, lesson = {}, lessons: count = 1 }: CourseOptions = {},
): Promise<{ owner: Member; course: Course; module: Module; lessons: [Lesson, ...Lesson[]] }> {
  const educator = owner ?? (await newEducator(platform));
  const { client } = educator;
  const fields = { title: `Course ${Math.random()}`, description: 'All of it.', ...course };
  const { id } = (await client.call(createCourse, { body: fields })).data;
  const params = { courseId: id };
  const module = (await client.call(createCourseModule, { params, body: { title: 'Module 1' } })).data;
  const lessons: Lesson[] = [];
  for (let number = 1; number <= count; number++) {
    const draft = {
      moduleId: module.id,
      title: `Lesson ${number}`,
      status: 'published',
      duration: 60,
    } as const;
    lessons.push((await client.call(createLesson, { body: { ...draft, ...lesson } })).data);
  }
  const published = await client.call(updateCourse, { params, body: { status: 'published' } });
  return { owner: educator, course: published.data, module, lessons: lessons as [Lesson, ...Lesson[]] };
}
