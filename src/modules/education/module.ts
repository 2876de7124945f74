import type { Core } from '../../kernel/core.ts';
import { unguessableIdMaker } from '../../kernel/ids.ts';
import { on, onInTransaction } from '../../kernel/messaging/events.ts';
import { type Identity, userChanged, userDeleted } from '../identity/contract.ts';
import { type Media, videoCompleted } from '../media/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import type { Wallet } from '../wallet/contract.ts';
import { certificateIssuing } from './certificates/certificate-issuing.ts';
import { certificatePage } from './certificates/certificate-page.ts';
import { certificateOperations } from './certificates/certificates.operations.ts';
import { certificateStore } from './certificates/certificates.store.ts';
import { certificateRules } from './certificates/certificates.ts';
import { courseEnrolled, type Education } from './contract.ts';
import { courseContentStore } from './courses/course-contents.store.ts';
import { courseDeletion } from './courses/course-deletion.ts';
import { courseEditing } from './courses/course-editing.ts';
import { courseModuleStore } from './courses/course-modules.store.ts';
import { courseModuleRules } from './courses/course-modules.ts';
import { courseNotices } from './courses/course-notices.ts';
import { courseOwnership } from './courses/course-ownership.ts';
import { courseModuleOperations, courseOperations } from './courses/courses.operations.ts';
import { courseStore } from './courses/courses.store.ts';
import { courseRules } from './courses/courses.ts';
import { courseViews } from './courses/courses.views.ts';
import { lessonNotices } from './courses/lesson-notices.ts';
import { ownerStore } from './courses/owners.store.ts';
import { ownerRules } from './courses/owners.ts';
import { studentStore } from './courses/students.store.ts';
import { courseLookUp } from './education.administration.ts';
import { educationMeasures } from './education.measures.ts';
import { educationNotices } from './education.notices.ts';
import { educationInternalEvents, educationPublicEvents } from './education.public-events.ts';
import { educationSearchable } from './education.searchable.ts';
import { enrollingRules } from './enrolments/enrolling.ts';
import { enrolmentOperations } from './enrolments/enrolments.operations.ts';
import { enrolmentStore } from './enrolments/enrolments.store.ts';
import { enrolmentRules } from './enrolments/enrolments.ts';
import { memberErasure } from './erasure.ts';
import { lessonAnnouncing } from './lessons/lesson-announcing.ts';
import { lessonEditing } from './lessons/lesson-editing.ts';
import { lessonInterventions } from './lessons/lesson-interventions.ts';
import { lessonVideoOperations } from './lessons/lesson-videos.operations.ts';
import { lessonVideoRules } from './lessons/lesson-videos.ts';
import { MAX_LESSONS_OF_COURSE } from './lessons/lessons.model.ts';
import { lessonOperations } from './lessons/lessons.operations.ts';
import { lessonStore } from './lessons/lessons.store.ts';
import { lessonKeeper, lessonRules } from './lessons/lessons.ts';
import { quizResultStore } from './lessons/quiz-results.store.ts';
import { educationRecords } from './member-records.store.ts';
import { outlineOperations } from './outlines/outlines.operations.ts';
import { outlineRules } from './outlines/outlines.ts';
import { enrolledCourses } from './progress/enrolled-courses.ts';
import { progressOperations } from './progress/progress.operations.ts';
import { progressStore } from './progress/progress.store.ts';
import { progressRules } from './progress/progress.ts';
import { quizOperations } from './quizzes/quizzes.operations.ts';
import { quizStore } from './quizzes/quizzes.store.ts';
import { quizRules } from './quizzes/quizzes.ts';
import { ratingOperations } from './ratings/ratings.operations.ts';
import { ratingStore } from './ratings/ratings.store.ts';
import { ratingRules } from './ratings/ratings.ts';
import { reportableReview } from './ratings/reportable-review.ts';
import { repairJob } from './repair.ts';

interface EducationDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'clock' | 'newId'> {
  identity: Pick<Identity, 'profilesOf' | 'cardsOf' | 'keep' | 'mustStayVerified'>;
  wallet: Pick<Wallet, 'transfer' | 'keysFor' | 'allKeysFor'>;
  media: Media;
  moderation: Pick<Moderation, 'mayApproachIn' | 'maySpeak' | 'intervene'>;
  notifications: Pick<Notifications, 'subscribeIn' | 'unsubscribeIn' | 'withdrawIn'>;
  fanOut: FanOut;
  publicUrl: () => string;
}

/** Education: courses, lessons, and members' progress in them. Owns the database schema `education`. */
export function educationModule(deps: EducationDeps): Module<Education> {
  const { database } = deps;
  const stores = {
    courses: courseStore(database),
    modules: courseModuleStore(database),
    students: studentStore(database),
    lessons: lessonStore(database),
    quizResults: quizResultStore(database),
    enrolments: enrolmentStore(database),
    certificates: certificateStore(database),
  };
  const { students, modules } = stores;
  const keepLesson = lessonKeeper(stores.lessons);
  const owners = ownerRules({ ...deps, store: ownerStore(database) });

  const courses = courseRules({ ...deps, store: stores.courses, students });
  const views = courseViews({ ...deps, courses, store: stores.courses, modules, students });
  const ofCourses = courseNotices({ ...deps, store: stores.courses });
  const editing = courseEditing({
    ...deps,
    courses,
    views,
    store: stores.courses,
    owners,
    notices: ofCourses,
  });
  const changeOwner = courseOwnership({
    ...deps,
    store: stores.courses,
    views,
    owners,
    maxLessons: MAX_LESSONS_OF_COURSE,
  });
  const contents = courseContentStore;
  const notices = lessonNotices(deps.notifications);
  const ofContents = { ...deps, courses, contents, notices };
  const deletion = courseDeletion({ ...ofContents, courseStore: stores.courses, students, ofCourses });
  const courseModules = courseModuleRules({ ...ofContents, store: modules });

  const ofLessons = { ...deps, courses, modules, store: stores.lessons };
  const lessons = lessonRules({ ...ofLessons, quizResults: stores.quizResults });
  const announcing = lessonAnnouncing(deps);
  const lessonEdits = lessonEditing({ ...ofLessons, lessons, announcing, notices });
  const intervene = lessonInterventions(ofLessons);
  const videos = lessonVideoRules({ ...ofLessons, keepLesson, intervene });

  const ofEnrolments = { ...deps, courseStore: stores.courses, store: stores.enrolments };
  const enrolling = enrollingRules(ofEnrolments);
  const enrolments = enrolmentRules(ofEnrolments);
  const issuing = certificateIssuing({
    ...deps,
    store: stores.certificates,
    newId: unguessableIdMaker(deps.clock),
  });
  const progress = progressRules({
    ...deps,
    keepLesson,
    enrolments,
    enrolmentStore: stores.enrolments,
    certify: issuing.issueIn,
    store: progressStore(database),
  });
  const enrolled = enrolledCourses({ ...ofEnrolments, views, progress });
  const outlines = outlineRules({ modules, store: stores.lessons, lessons, progress });
  const quizzes = quizRules({ ...deps, progress, keepLesson, intervene, store: quizStore(database) });
  const ratings = ratingRules({
    ...deps,
    courses,
    progress,
    courseStore: stores.courses,
    store: ratingStore(database),
  });
  const certificates = certificateRules({
    ...deps,
    courses,
    issuing,
    progress,
    store: stores.certificates,
  });
  const erasure = memberErasure({ ...deps, certificates });

  return {
    name: 'education',
    memberRecords: educationRecords,
    publicEvents: educationPublicEvents,
    internalEvents: educationInternalEvents,
    seed: async () => (await import('./education.seed.ts')).educationSeed,
    sections: {
      Courses: 'The catalogue of courses and their modules.',
      Lessons: 'The lessons of a module, with texts, captions and videos.',
      'Lesson videos': 'Uploading the video of a lesson, and how far its processing is.',
      Quizzes: 'Questions of a lesson, and answers to them.',
      Studying: 'Enrolment, progress, ratings and certificates.',
    },
    topics: ['EDUCATION'],
    service: { teachingOf: stores.courses.teachingOf },
    operations: [
      ...courseOperations({ courses, views, editing, deletion, changeOwner }),
      ...courseModuleOperations(courses, courseModules),
      ...outlineOperations({ courses, outlines }),
      ...lessonOperations(lessons, lessonEdits),
      ...lessonVideoOperations(lessons, videos),
      ...quizOperations(lessons, quizzes),
      ...enrolmentOperations({ courses, enrolling, enrolments }),
      ...progressOperations({ courses, lessons, progress, enrolled }),
      ...ratingOperations({ courses, ratings }),
      ...certificateOperations(certificates),
    ],
    rawRoutes: [certificatePage(certificates)],
    jobs: [...deletion.jobs, ...owners.jobs, ...erasure.jobs, repairJob({ enrolments, deletion, owners })],
    notices: educationNotices(stores),
    measures: educationMeasures(stores.enrolments),
    searchable: educationSearchable(stores),
    reportables: [reportableReview(ratings)],
    watchables: [{ contentType: 'lesson', educatorOf: stores.lessons.ownerOf }],
    lookUps: [courseLookUp(stores.courses)],
    subscriptions: [
      onInTransaction(videoCompleted, 'education', ({ data: { subjectId, duration } }, tx) =>
        videos.videoCompleted(tx, subjectId, duration),
      ),
      // Enrolments subscribe in their own transaction. Only those of processes of the former version do not, while both run
      // during an update.
      on(courseEnrolled, 'education-topic', ({ data: { userId, courseId } }, tx) =>
        enrolments.subscribe(tx, courseId, userId),
      ),
      onInTransaction(userChanged, 'education', ({ data: card }, tx) => owners.follow(tx, card)),
      on(userDeleted, 'education', ({ data: { userId } }, tx) => erasure.begin(tx, userId)),
    ],
  };
}
