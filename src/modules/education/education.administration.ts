import { beginningWith, type LookUp, matchOf } from '../administration/contract.ts';
import type { CourseStore } from './courses/courses.store.ts';

/** Finds courses for administrators, drafts included: by id, or by the beginning of the title. */
export const courseLookUp = ({ findNamed }: Pick<CourseStore, 'findNamed'>): LookUp => ({
  type: 'course',
  find: async ({ id, lowerCase }, limit) =>
    (await findNamed(id, beginningWith(lowerCase), limit)).map((course) => {
      const match = course.id === id ? 'id' : (matchOf(lowerCase, [course.title]) ?? 'beginning');
      return { id: course.id, title: `${course.title}, ${course.status}`, userId: course.ownerId, match };
    }),
});
