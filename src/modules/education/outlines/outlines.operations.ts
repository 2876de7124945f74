import { Type } from 'typebox';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { CourseOutline } from './outlines.schemas.ts';
import type { OutlineRules } from './outlines.ts';

interface Deps {
  courses: Pick<CourseRules, 'visible'>;
  outlines: OutlineRules;
}

export const outlineOperations = ({ courses, outlines }: Deps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/outline',
    id: 'getCourseOutline',
    tag: 'Courses',
    summary: 'Retrieve the modules of a course with their lessons and your progress',
    description:
      'Everything that the page of a course shows, in one call. Descriptions, files and links of videos are in the lesson itself, which a player retrieves when it opens it.',
    access: member,
    params: Type.Object({ courseId: pathId('course') }),
    success: ok(CourseOutline),
    failures: [courseNotFound],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course, viewer }, caller }) => outlines.of(course, viewer, caller),
  }),
];
