import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { insufficientPermissions, validationFailed } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Identity, Profile } from '../../identity/contract.ts';
import type { Media } from '../../media/contract.ts';
import { courseChanged, courseNotFound } from '../contract.ts';
import type { EnrolmentStore } from '../enrolments/enrolments.store.ts';
import { courseNotReady } from '../failures.ts';
import { mayManage, maySee, type Viewer } from '../lessons/viewing.ts';
import type { CourseModule, CourseModuleStore } from './course-modules.store.ts';
import { type CourseChanges, type CourseDraft, KEYS } from './courses.schemas.ts';
import type { Course, CourseFilter, CourseStore, CourseSummary } from './courses.store.ts';
import type { OwnerRules } from './owners.ts';

/** A course, or its summary, as shown to a viewer. */
export type CourseView<Row extends CourseSummary = CourseSummary> = Omit<Row, 'ownerId' | 'ownerTeaches'> & {
  instructor: { id: ObjectId } & Pick<Profile, 'firstName' | 'lastName' | 'avatar'>;
  enrolled: boolean;
};

export interface CourseDeps {
  courses: CourseStore;
  modules: CourseModuleStore;
  enrolments: EnrolmentStore;
  owners: Pick<OwnerRules, 'admit'>;
  identity: Pick<Identity, 'profilesOf'>;
  media: Pick<Media, 'checkPublicUrls'>;
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Courses: visibility, editing and the conditions of publication. */
export function courseRules(deps: CourseDeps) {
  const { courses, modules, enrolments, owners, identity, media, database, events, clock, newId } = deps;

  const tellChanged = (tx: Transaction, courseId: ObjectId): Promise<void> =>
    events.publish(tx, courseChanged, { courseId });

  async function viewerOf(course: Course, caller: UserCaller, queries?: Queries): Promise<Viewer> {
    const enrolment = await enrolments.find(course.id, caller.userId, queries);
    return { mayManage: mayManage(course, caller), isEnrolled: enrolment?.leftAt === null };
  }

  /**
   * Returns the course and the caller's relation to it.
   * @throws courseNotFound, also if it is hidden from the caller, as by default when they may not see it
   */
  async function visible(
    id: ObjectId,
    caller: UserCaller,
    isShown: (course: Course, viewer: Viewer) => boolean = maySee,
  ): Promise<{ course: Course; viewer: Viewer }> {
    const course = await courses.find(id);
    if (!course) throw courseNotFound();
    const viewer = await viewerOf(course, caller);
    if (!isShown(course, viewer)) throw courseNotFound();
    return { course, viewer };
  }

  /** @throws courseNotFound, insufficientPermissions for another owner's course */
  async function managed(id: ObjectId, caller: UserCaller): Promise<Course> {
    const { course, viewer } = await visible(id, caller);
    if (!viewer.mayManage) throw insufficientPermissions();
    return course;
  }

  /** Changes a course, its modules or its lessons in a transaction that locks the course. */
  const change = <Result>(
    id: ObjectId,
    work: (tx: Transaction, course: Course) => Promise<Result>,
  ): Promise<Result> =>
    database.transaction(async (tx) => {
      const course = await courses.lock(tx, id);
      if (!course) throw courseNotFound();
      return work(tx, course);
    });

  /** Adds the instructor of each course, and whether the caller is enrolled. */
  async function viewsOf<Row extends CourseSummary>(
    all: Row[],
    { userId }: UserCaller,
  ): Promise<CourseView<Row>[]> {
    const owners = [...new Set(all.map(({ ownerId }) => ownerId))];
    const [profiles, enrolled] = await Promise.all([
      identity.profilesOf(owners),
      enrolments.findAll(all.map(({ id }) => ({ courseId: id, userId }))),
    ]);
    const profileOf = new Map(profiles.map((profile) => [profile.userId, profile]));
    const isEnrolled = new Set(
      enrolled.filter(({ leftAt }) => leftAt === null).map(({ courseId }) => courseId),
    );
    return all.map(({ ownerId, ownerTeaches, ...course }) => {
      const { firstName = '', lastName = '', avatar = null } = profileOf.get(ownerId) ?? {};
      return {
        ...course,
        instructor: { id: ownerId, firstName, lastName, avatar },
        enrolled: isEnrolled.has(course.id),
      };
    });
  }

  async function detailOf(
    course: Course,
    caller: UserCaller,
  ): Promise<CourseView<Course> & { modules: CourseModule[] }> {
    const [[view], its] = await Promise.all([viewsOf([course], caller), modules.ofCourse(course.id)]);
    return { ...(view as CourseView<Course>), modules: its };
  }

  async function reread(id: ObjectId, caller: UserCaller) {
    const course = await courses.find(id);
    if (!course) throw courseNotFound();
    return detailOf(course, caller);
  }

  /** Checks the files that a course is about to show. */
  const checkFiles = (
    { thumbnail, trailerUrl }: CourseChanges,
    ownerIds: ObjectId[],
    seen?: Course,
  ): Promise<void> =>
    media.checkPublicUrls(
      { thumbnail, trailerUrl },
      { ownerIds, shown: [seen?.thumbnail, seen?.trailerUrl] },
    );

  return {
    visible,
    managed,
    lock: courses.lock,
    refreshCounts: (tx: Transaction, id: ObjectId) => courses.refreshCounts(tx, id, clock.date()),
    change,
    viewerOf,
    viewsOf,
    detail: async (id: ObjectId, caller: UserCaller) => detailOf((await visible(id, caller)).course, caller),

    /**
     * Returns open courses, or the caller's own of another status; administrators list all owners' courses. Published
     * courses of an owner who may not teach are listed only to administrators and the owner who ask for that owner's.
     */
    async pageOf(
      { instructorId, ...filter }: Omit<CourseFilter, 'ownerId' | 'isTaught'> & { instructorId?: ObjectId },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<CourseView>> {
      const isPublished = filter.status === 'published';
      const ownerId = isPublished || holds(caller, 'admin') ? instructorId : caller.userId;
      const isTaught = isPublished && !(ownerId && mayManage({ ownerId }, caller));
      const page = await courses.pageOf({ ...filter, ownerId, isTaught }, request);
      const views = await viewsOf(page.items, caller);
      return mapPage(page, (course) => views.find(({ id }) => id === course.id) as CourseView);
    },

    /** @throws tooManyCourses; courseNotReady for the status `published`, since a new course has no lessons */
    async create(draft: CourseDraft, caller: UserCaller) {
      await checkFiles(draft, [caller.userId]);
      const at = clock.date();
      const course = applied(
        {
          ...EMPTY,
          id: newId(),
          ownerId: caller.userId,
          title: draft.title,
          createdAt: at,
          updatedAt: at,
        },
        draft,
      );
      if (course.status === 'published') throw courseNotReady();
      await database.transaction(async (tx) => {
        const ownerTeaches = await owners.admit(tx, course.ownerId);
        await courses.insert(tx, { ...course, ownerTeaches });
        await tellChanged(tx, course.id);
      });
      return detailOf(course, caller);
    },

    /** Changes the given fields. @throws courseNotFound, courseNotReady */
    async update(seen: Course, changes: CourseChanges, caller: UserCaller) {
      const { id } = seen;
      await checkFiles(changes, [seen.ownerId, caller.userId], seen);
      await change(id, async (tx, before) => {
        const course = { ...applied(before, changes), updatedAt: clock.date() };
        if (course.status === 'published' && !isReady(course)) throw courseNotReady();
        await courses.update(tx, course);
        await tellChanged(tx, id);
      });
      return reread(id, caller);
    },

    /**
     * Updates the counts after a change of lessons. @throws courseNotReady when a published course has no lessons left
     */
    async afterLessonsChanged(tx: Transaction, course: Course): Promise<void> {
      await courses.refreshCounts(tx, course.id, clock.date());
      if (course.status !== 'published') return;
      const now = await courses.find(course.id, tx);
      if (now && !isReady(now)) throw courseNotReady();
    },
  };
}

export type CourseRules = ReturnType<typeof courseRules>;

const EMPTY = {
  description: '',
  category: '',
  level: 'beginner',
  price: 0,
  currency: KEYS,
  thumbnail: null,
  trailerUrl: null,
  requirements: [],
  learningOutcomes: [],
  tags: [],
  syllabus: [],
  status: 'draft',
  ownerTeaches: true,
  moduleCount: 0,
  lessonCount: 0,
  duration: 0,
  enrolledCount: 0,
  rating: 0,
} satisfies Partial<Course>;

const isReady = ({ title, description, lessonCount }: Course): boolean =>
  title.trim() !== '' && description.trim() !== '' && lessonCount > 0;

/** Returns the course with the given changes applied. @throws 422 for an invalid currency or price */
function applied(course: Course, changes: CourseChanges): Course {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const changed: Course = { ...course, ...Object.fromEntries(given) };
  const { price, currency } = changed;
  if (currency !== KEYS && !CURRENCIES.has(currency))
    throw validationFailed([{ field: 'currency', message: 'must be Keys or an ISO 4217 currency code' }]);
  const isWhole = Number.isInteger(price);
  if (currency === KEYS && !isWhole)
    throw validationFailed([{ field: 'price', message: 'must be a whole number of Keys' }]);
  if (!isWhole && Math.round(price * 100) / 100 !== price)
    throw validationFailed([{ field: 'price', message: 'must have at most two decimals' }]);
  return changed;
}
