import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { type Identity, type NamedMember, namedMemberOf, profileLookup } from '../../identity/contract.ts';
import type { Wallet } from '../../wallet/contract.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseModule } from './course-modules.model.ts';
import type { CourseModuleStore } from './course-modules.store.ts';
import type { Course, CourseFilter, CourseSummary, OwnRating } from './courses.model.ts';
import type { CourseStore } from './courses.store.ts';
import type { CourseRules } from './courses.ts';
import { pricesInKeys } from './prices.ts';
import type { StudentStore } from './students.store.ts';
import { mayManage } from './viewing.ts';

/** A course, or its summary, as shown to a viewer. */
export type CourseView<Row extends CourseSummary = CourseSummary> = Omit<Row, 'ownerId' | 'ownerTeaches'> & {
  instructor: NamedMember;
  enrolled: boolean;
  /** What it costs now; null if its currency has no exchange rate, or it costs more Keys than can be counted. */
  priceKeys: number | null;
};

/** A course with its modules. */
export type CourseDetail = CourseView<Course> & {
  modules: CourseModule[];
  ownRating: OwnRating | null;
};

interface ViewDeps {
  courses: Pick<CourseRules, 'visible'>;
  store: CourseStore;
  modules: CourseModuleStore;
  students: StudentStore;
  identity: Pick<Identity, 'profilesOf'>;
  wallet: Pick<Wallet, 'allKeysFor'>;
}

/** Courses in the form that members see. */
export function courseViews({ courses, store, modules, students, identity, wallet }: ViewDeps) {
  /** Adds the instructor of each course, its price in Keys, and whether the caller is enrolled. */
  async function viewsOf<Row extends CourseSummary>(
    all: Row[],
    { userId }: UserCaller,
  ): Promise<CourseView<Row>[]> {
    const [profileOf, enrolledIn, priceOf] = await Promise.all([
      profileLookup(
        identity,
        all.map(({ ownerId }) => ownerId),
      ),
      students.enrolledIn(
        all.map(({ id }) => id),
        userId,
      ),
      pricesInKeys(wallet, all),
    ]);
    return all.map(({ ownerId, ownerTeaches, ...course }) => ({
      ...course,
      instructor: namedMemberOf(profileOf(ownerId)),
      enrolled: enrolledIn.has(course.id),
      priceKeys: priceOf.get(course.id) ?? null,
    }));
  }

  async function detailOf(course: Course, caller: UserCaller): Promise<CourseDetail> {
    const [views, its, ownRating] = await Promise.all([
      viewsOf([course], caller),
      modules.ofCourse(course.id),
      students.ratingOf(course.id, caller.userId),
    ]);
    return { ...only(views), modules: its, ownRating };
  }

  return {
    viewsOf,
    detailOf,
    /** @throws courseNotFound, also if it is hidden from the caller */
    detail: async (id: ObjectId, caller: UserCaller): Promise<CourseDetail> =>
      detailOf((await courses.visible(id, caller)).course, caller),

    /** Returns a course after a change by the caller. @throws courseNotFound when it was deleted concurrently */
    async reread(id: ObjectId, caller: UserCaller): Promise<CourseDetail> {
      const course = await store.find(id);
      if (!course) throw courseNotFound();
      return detailOf(course, caller);
    },

    /**
     * Returns open courses, or the caller's own courses of another status; administrators list the courses of all
     * owners. Published courses of an owner who may not teach are listed only to administrators and to that owner, when
     * they filter by the owner.
     */
    async pageOf(
      { instructorId, ...filter }: Omit<CourseFilter, 'ownerId' | 'isTaught'> & { instructorId?: ObjectId },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<CourseView>> {
      const isPublished = filter.status === 'published';
      const ownerId = isPublished || holds(caller, 'admin') ? instructorId : caller.userId;
      const isTaught = isPublished && !(ownerId && mayManage({ ownerId }, caller));
      const page = await store.pageOf({ ...filter, ownerId, isTaught }, request);
      return { ...page, items: await viewsOf(page.items, caller) };
    },
  };
}

export type CourseViews = ReturnType<typeof courseViews>;
