import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { educator, notEducator, userNotFound } from '../../identity/contract.ts';
import { courseNotFound } from '../contract.ts';
import { courseNotReady, moduleNotFound, tooManyCourses, tooManyModules } from '../failures.ts';
import type { CourseDeletion } from './course-deletion.ts';
import { type CourseEditing, priceFaults } from './course-editing.ts';
import type { CourseModuleRules } from './course-modules.ts';
import type { ChangeCourseOwner } from './course-ownership.ts';
import {
  BY_OWNER,
  CourseChangesInBody,
  CourseDetail,
  CourseInBody,
  CourseModule,
  CourseOwnerBody,
  CourseSummary,
  DeleteCourseResult,
  ListCoursesQuery,
  ModuleChangesInBody,
  ModuleInBody,
} from './courses.schemas.ts';
import type { CourseRules } from './courses.ts';
import type { CourseViews } from './courses.views.ts';

const tag = 'Courses';
const params = Type.Object({ courseId: pathId('course') });
const moduleParams = Type.Object({ courseId: pathId('course'), moduleId: pathId('module') });
const ownFailures = [courseNotFound, insufficientPermissions];

interface CourseOperationDeps {
  courses: CourseRules;
  views: CourseViews;
  editing: CourseEditing;
  deletion: CourseDeletion;
  changeOwner: ChangeCourseOwner;
}

export const courseOperations = ({
  courses,
  views,
  editing,
  deletion,
  changeOwner,
}: CourseOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses',
    id: 'listCourses',
    tag,
    summary: 'List courses, newest first',
    description:
      'Lists published courses. With another `status`, lists your own courses, or for administrators the courses of all educators. `instructorId` limits the list to one educator. Courses of an educator who lost the permission, was deactivated or deleted are not listed.',
    access: member,
    query: ListCoursesQuery,
    success: pageOf(CourseSummary),
    handle: ({ query: { page, limit, before, status = 'published', ...filter }, caller }) =>
      views.pageOf({ ...filter, status }, { page, limit, before }, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId',
    id: 'getCourse',
    tag,
    summary: 'Retrieve a course with its modules',
    access: member,
    params,
    success: ok(CourseDetail),
    failures: [courseNotFound],
    handle: ({ params, caller }) => views.detail(params.courseId, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/courses',
    id: 'createCourse',
    tag,
    summary: 'Create a course',
    description: 'The course starts as a draft. A course without lessons cannot be published.',
    access: educator,
    idempotent: true,
    body: CourseInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(CourseDetail, { message: 'Course created' }),
    failures: [courseNotReady, tooManyCourses],
    faults: ({ body }) => priceFaults(body),
    handle: ({ body, caller, idempotency }) => editing.create(body, caller, idempotency),
  }),
  operation({
    method: 'PUT',
    path: '/v1/courses/:courseId',
    id: 'updateCourse',
    tag,
    summary: 'Update a course',
    description:
      'Requires its owner, or an administrator, who tells the owner the `reason`. Fields that are left out keep their values.',
    access: educator,
    isAlsoForStaff: true,
    params,
    body: CourseChangesInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(CourseDetail, { message: 'Course updated' }),
    failures: [...ownFailures, courseNotReady, changedMeanwhile],
    load: ({ params, caller }) => courses.managed(params.courseId, caller),
    faults: ({ loaded, body }) => priceFaults({ ...loaded, ...body }),
    handle: ({ loaded, body, caller, facts }) => editing.update(loaded, body, caller, facts),
  }),
  operation({
    method: 'PUT',
    path: '/v1/courses/:courseId/owner',
    id: 'changeCourseOwner',
    tag,
    summary: 'Pass a course on to another educator',
    description: 'The new owner is paid for enrolments from now on. What was paid before stays where it is.',
    access: administrator,
    params,
    body: CourseOwnerBody,
    success: ok(CourseDetail, { message: 'Course passed on' }),
    failures: [courseNotFound, userNotFound, notEducator, tooManyCourses],
    load: ({ params, caller }) => courses.managed(params.courseId, caller),
    handle: ({ loaded, body, caller, facts }) => changeOwner(loaded.id, body.userId, caller, facts),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/courses/:courseId',
    id: 'deleteCourse',
    tag,
    summary: 'Delete a course',
    description:
      'Requires its owner, or an administrator, who tells the owner the `reason`. A course that has ever had enrolments is archived instead.',
    access: educator,
    isAlsoForStaff: true,
    params,
    success: ok(DeleteCourseResult, {
      message: 'Course deleted or archived',
    }),
    failures: ownFailures,
    load: ({ params, caller }) => courses.managed(params.courseId, caller),
    handle: ({ loaded, caller, facts }) => deletion.delete(loaded.id, actorOf(caller, facts)),
  }),
];

export const courseModuleOperations = (courses: CourseRules, modules: CourseModuleRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/modules',
    id: 'listCourseModules',
    tag,
    summary: 'List the modules of a course in order',
    access: member,
    params,
    success: ok(Type.Array(CourseModule)),
    failures: [courseNotFound],
    handle: ({ params, caller }) => modules.list(params.courseId, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/courses/:courseId/modules',
    id: 'createCourseModule',
    tag,
    summary: 'Add a module to a course',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params,
    idempotent: true,
    body: ModuleInBody,
    success: created(CourseModule, { message: 'Module created' }),
    failures: [...ownFailures, tooManyModules],
    load: ({ params, caller }) => courses.managed(params.courseId, caller),
    handle: ({ loaded, body, caller, facts, idempotency }) =>
      modules.create(loaded.id, body, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'PUT',
    path: '/v1/courses/:courseId/modules/:moduleId',
    id: 'updateCourseModule',
    tag,
    summary: 'Rename or move a module',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params: moduleParams,
    body: ModuleChangesInBody,
    success: ok(CourseModule, { message: 'Module updated' }),
    failures: [...ownFailures, moduleNotFound, changedMeanwhile],
    load: async ({ params, caller }) =>
      modules.ofCourse((await courses.managed(params.courseId, caller)).id, params.moduleId),
    handle: ({ loaded, body, caller, facts }) => modules.update(loaded, body, actorOf(caller, facts)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/courses/:courseId/modules/:moduleId',
    id: 'deleteCourseModule',
    tag,
    summary: 'Delete a module with its lessons',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params: moduleParams,
    success: ok(DeletedRecord, { message: 'Module deleted' }),
    failures: [...ownFailures, moduleNotFound, courseNotReady],
    load: async ({ params, caller }) =>
      modules.ofCourse((await courses.managed(params.courseId, caller)).id, params.moduleId),
    handle: ({ loaded, caller, facts }) => modules.delete(loaded, actorOf(caller, facts)),
  }),
];
