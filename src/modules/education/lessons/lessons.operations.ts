import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
} from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { educator } from '../../identity/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../../notifications/contract.ts';
import { BY_OWNER } from '../courses/courses.schemas.ts';
import {
  courseNotReady,
  lessonNotFound,
  lessonTooLarge,
  moduleNotFound,
  moduleTooLarge,
  tooManyLessons,
  tooManyLessonsInCourse,
} from '../failures.ts';
import type { ChangedLesson, LessonEditing } from './lesson-editing.ts';
import { MAX_LISTED_RESOURCES } from './lessons.model.ts';
import {
  LessonChangesInBody,
  LessonInBody,
  LessonShape,
  LessonSummary,
  ListLessonsQuery,
} from './lessons.schemas.ts';
import type { LessonRules } from './lessons.ts';

const tag = 'Lessons';
const limits = [tooManyLessons, lessonTooLarge, moduleTooLarge];
const ANNOUNCED = `The first publication of a lesson in a published course notifies its students, of up to ${ANNOUNCED_PER_HOUR.educator} lessons an hour; further ones are published without notifications.`;
const params = Type.Object({ lessonId: pathId('lesson') });

const createdLesson = ({ lesson, isQuiet }: ChangedLesson) =>
  announcedAnswer(lesson, 'Lesson created', !isQuiet);

export const lessonOperations = (lessons: LessonRules, editing: LessonEditing): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/lessons',
    id: 'listLessons',
    tag,
    summary: 'List the lessons of a module in order',
    description: `Videos, downloads, resources and quizzes of a priced course are visible to its owner, administrators and enrolled members; those of a \`preview\` lesson are visible to all members. A list has the beginning of each description and the first ${spelled(MAX_LISTED_RESOURCES)} resources; \`GET /v1/lessons/:lessonId\` has the whole lesson.`,
    access: member,
    query: ListLessonsQuery,
    success: ok(Type.Array(LessonSummary)),
    failures: [moduleNotFound],
    handle: ({ query, caller }) => lessons.ofModule(query.moduleId, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons',
    id: 'createLesson',
    tag,
    summary: 'Add a lesson to a module',
    description: `${BY_OWNER} ${ANNOUNCED}`,
    access: educator,
    isAlsoForStaff: true,
    idempotent: true,
    body: LessonInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: created(LessonShape, { message: 'Lesson created' }),
    failures: [moduleNotFound, insufficientPermissions, tooManyLessonsInCourse, ...limits],
    handle: async ({ body, caller, facts, idempotency }) =>
      createdLesson(await editing.create(body, { caller, facts }, { idempotency, of: createdLesson })),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId',
    id: 'getLesson',
    tag,
    summary: 'Retrieve a lesson',
    access: member,
    params,
    success: ok(LessonShape),
    failures: [lessonNotFound],
    handle: ({ params, caller }) => lessons.view(params.lessonId, caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId',
    id: 'updateLesson',
    tag,
    summary: 'Update, move or publish a lesson',
    description: `Fields that are left out keep their values. \`moduleId\` moves the lesson to another module of its course. ${BY_OWNER} ${ANNOUNCED}`,
    access: educator,
    isAlsoForStaff: true,
    params,
    body: LessonChangesInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(LessonShape, { message: 'Lesson updated' }),
    failures: [
      lessonNotFound,
      moduleNotFound,
      insufficientPermissions,
      courseNotReady,
      changedMeanwhile,
      ...limits,
    ],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: async ({ loaded, body, caller, facts }) => {
      const { lesson, isQuiet } = await editing.update(loaded, body, { caller, facts });
      return announcedAnswer(lesson, 'Lesson updated', !isQuiet);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/lessons/:lessonId',
    id: 'deleteLesson',
    tag,
    summary: 'Delete a lesson with its video',
    description: BY_OWNER,
    access: educator,
    isAlsoForStaff: true,
    params,
    success: ok(DeletedRecord, { message: 'Lesson deleted' }),
    failures: [lessonNotFound, insufficientPermissions, courseNotReady],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller, facts }) => editing.delete(loaded, actorOf(caller, facts)),
  }),
];
