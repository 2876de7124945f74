import type { Core } from '../../kernel/core.ts';
import { unguessableIdMaker } from '../../kernel/ids.ts';
import { on, onInTransaction } from '../../kernel/messaging/events.ts';
import { type Identity, userChanged, userDeleted } from '../identity/contract.ts';
import { type Media, videoCompleted } from '../media/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import type { Wallet } from '../wallet/contract.ts';
import { certificatePage } from './certificates/certificate-page.ts';
import { certificateStore } from './certificates/certificates.store.ts';
import { certificateRules } from './certificates/certificates.ts';
import { courseEnrolled, type Education } from './contract.ts';
import { courseDeletion } from './courses/course-deletion.ts';
import { courseModuleStore } from './courses/course-modules.store.ts';
import { courseModuleRules } from './courses/course-modules.ts';
import { courseModuleOperations, courseOperations } from './courses/courses.operations.ts';
import { courseStore } from './courses/courses.store.ts';
import { courseRules } from './courses/courses.ts';
import { ownerStore } from './courses/owners.store.ts';
import { ownerRules } from './courses/owners.ts';
import { educationMeasures } from './education.measures.ts';
import { educationNotices } from './education.notices.ts';
import { educationSearchable } from './education.searchable.ts';
import { enrolmentStore } from './enrolments/enrolments.store.ts';
import { enrolmentRules } from './enrolments/enrolments.ts';
import { eraseMember } from './erasure.store.ts';
import { lessonEditing } from './lessons/lesson-editing.ts';
import { lessonVideoOperations } from './lessons/lesson-videos.operations.ts';
import { lessonVideoRules } from './lessons/lesson-videos.ts';
import { lessonOperations } from './lessons/lessons.operations.ts';
import { lessonStore } from './lessons/lessons.store.ts';
import { lessonKeeper, lessonRules } from './lessons/lessons.ts';
import { progressStore } from './progress/progress.store.ts';
import { progressRules } from './progress/progress.ts';
import {
  certificateOperations,
  enrolmentOperations,
  progressOperations,
  ratingOperations,
} from './progress/studying.operations.ts';
import { quizOperations } from './quizzes/quizzes.operations.ts';
import { quizStore } from './quizzes/quizzes.store.ts';
import { quizRules } from './quizzes/quizzes.ts';
import { ratingStore } from './ratings/ratings.store.ts';
import { ratingRules } from './ratings/ratings.ts';
import { repairJob } from './repair.ts';

interface EducationDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock' | 'newId'> {
  identity: Pick<Identity, 'profilesOf' | 'cardsOf'>;
  wallet: Pick<Wallet, 'transfer' | 'keysFor'>;
  media: Media;
  notifications: Pick<Notifications, 'subscribeIn' | 'unsubscribeIn'>;
  fanOut: FanOut;
  publicUrl: () => string;
}

/** Education: courses, lessons, and members' progress in them. Owns the database schema `education`. */
export function educationModule(deps: EducationDeps): Module<Education> {
  const { database, media } = deps;
  const courseTable = courseStore(database);
  const moduleTable = courseModuleStore(database);
  const lessonTable = lessonStore(database);
  const enrolmentTable = enrolmentStore(database);
  const owners = ownerRules({ ...deps, store: ownerStore(database) });
  const courses = courseRules({
    ...deps,
    owners,
    courses: courseTable,
    modules: moduleTable,
    enrolments: enrolmentTable,
  });
  const deletion = courseDeletion({
    ...deps,
    courses,
    courseStore: courseTable,
    lessons: lessonTable,
    enrolments: enrolmentTable,
  });
  const keepLesson = lessonKeeper(lessonTable);
  const modules = courseModuleRules({ ...deps, courses, store: moduleTable, lessons: lessonTable });
  const lessons = lessonRules({ ...deps, courses, modules: moduleTable, store: lessonTable });
  const editing = lessonEditing({ ...deps, courses, modules: moduleTable, lessons, store: lessonTable });
  const enrolments = enrolmentRules({ ...deps, courses, courseStore: courseTable, store: enrolmentTable });
  const progress = progressRules({
    ...deps,
    keepLesson,
    enrolments,
    enrolmentStore: enrolmentTable,
    store: progressStore(database),
  });
  const studying = {
    courses,
    lessons,
    enrolments,
    progress,
    ratings: ratingRules({ ...deps, progress, courseStore: courseTable, store: ratingStore(database) }),
    certificates: certificateRules({
      ...deps,
      progress,
      store: certificateStore(database),
      newId: unguessableIdMaker(deps.clock),
    }),
  };

  return {
    name: 'education',
    service: { teachingOf: courseTable.teachingOf },
    operations: [
      ...courseOperations(courses, deletion),
      ...courseModuleOperations(courses, modules),
      ...lessonOperations(lessons, editing),
      ...lessonVideoOperations(lessons, lessonVideoRules({ media, database, keepLesson })),
      ...quizOperations(lessons, quizRules({ ...deps, progress, keepLesson, store: quizStore(database) })),
      ...enrolmentOperations(studying),
      ...progressOperations(studying),
      ...ratingOperations(studying),
      ...certificateOperations(studying),
    ],
    rawRoutes: [certificatePage(studying.certificates)],
    jobs: [...deletion.jobs, ...owners.jobs, repairJob({ enrolments, deletion, owners })],
    notices: educationNotices,
    measures: educationMeasures(enrolmentTable),
    searchable: educationSearchable({ courses: courseTable, enrolments: enrolmentTable }),
    subscriptions: [
      onInTransaction(videoCompleted, 'education', ({ data: { subjectId, duration } }, tx) =>
        editing.videoCompleted(tx, subjectId, duration),
      ),
      on(courseEnrolled, 'education-topic', ({ data: { userId, courseId } }, tx) =>
        enrolments.subscribe(tx, courseId, userId),
      ),
      onInTransaction(userChanged, 'education', ({ data: card }, tx) => owners.follow(tx, card)),
      on(userDeleted, 'education', ({ data: { userId } }, tx) => eraseMember(tx, userId)),
    ],
  };
}
