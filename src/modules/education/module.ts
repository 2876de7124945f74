import type { Database } from '../../kernel/database/database.ts';
import { type Events, on, onInTransaction } from '../../kernel/events.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import { type NewId, unguessableIdMaker } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Module } from '../contract.ts';
import { type Identity, userChanged, userDeleted } from '../identity/contract.ts';
import { type Media, videoCompleted } from '../media/contract.ts';
import type { Notifications } from '../notifications/contract.ts';
import type { Wallet } from '../wallet/contract.ts';
import { certificatePage } from './certificate-page.ts';
import { certificateStore } from './certificates.store.ts';
import { certificateRules } from './certificates.ts';
import { courseEnrolled, type Education } from './contract.ts';
import { courseDeletion } from './course-deletion.ts';
import { courseModuleStore } from './course-modules.store.ts';
import { courseModuleRules } from './course-modules.ts';
import { courseModuleOperations, courseOperations } from './courses.operations.ts';
import { courseStore } from './courses.store.ts';
import { courseRules } from './courses.ts';
import { educationMeasures } from './education.measures.ts';
import { educationNotices } from './education.notices.ts';
import { educationSearchable } from './education.searchable.ts';
import { enrolmentStore } from './enrolments.store.ts';
import { enrolmentRules } from './enrolments.ts';
import { eraseMember } from './erasure.store.ts';
import { lessonEditing } from './lesson-editing.ts';
import { lessonVideoOperations } from './lesson-videos.operations.ts';
import { lessonVideoRules } from './lesson-videos.ts';
import { lessonOperations } from './lessons.operations.ts';
import { lessonStore } from './lessons.store.ts';
import { lessonKeeper, lessonRules } from './lessons.ts';
import { ownerStore } from './owners.store.ts';
import { ownerRules } from './owners.ts';
import { progressStore } from './progress.store.ts';
import { progressRules } from './progress.ts';
import { quizOperations } from './quizzes.operations.ts';
import { quizStore } from './quizzes.store.ts';
import { quizRules } from './quizzes.ts';
import { ratingStore } from './ratings.store.ts';
import { ratingRules } from './ratings.ts';
import { repairJob } from './repair.ts';
import {
  certificateOperations,
  enrolmentOperations,
  progressOperations,
  ratingOperations,
} from './studying.operations.ts';

interface EducationDeps {
  database: Database;
  events: Events;
  jobs: Pick<Jobs, 'enqueue'>;
  identity: Pick<Identity, 'profilesOf' | 'cardsOf'>;
  wallet: Pick<Wallet, 'transfer' | 'keysFor'>;
  media: Media;
  notifications: Pick<Notifications, 'subscribeIn' | 'unsubscribeIn'>;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
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
