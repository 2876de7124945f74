import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { mapPage, type Page, type PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Wallet } from '../wallet/contract.ts';
import { courseEnrolled, courseNotFound } from './contract.ts';
import { KEYS } from './courses.schemas.ts';
import type { Course, CourseStore } from './courses.store.ts';
import type { CourseRules, CourseView } from './courses.ts';
import type { Enrolment, EnrolmentStore } from './enrolments.store.ts';
import { courseNotOpen, notEnrolled, priceChanged } from './failures.ts';

interface EnrolmentDeps {
  courses: CourseRules;
  courseStore: CourseStore;
  store: EnrolmentStore;
  wallet: Pick<Wallet, 'transfer' | 'keysFor'>;
  database: Database;
  events: Events;
  clock: Clock;
}

/** A new or existing enrolment. */
export interface Enrolled {
  enrolment: Enrolment;
  isNew: boolean;
}

/** Never sent to clients: a concurrent request enrolled the member first. */
const enrolledMeanwhile = failure(409, 'ALREADY_ENROLLED', 'You are already enrolled');

/** Enrolments in courses. The price of a course is paid in the transaction that enrols the member. */
export function enrolmentRules({
  courses,
  courseStore,
  store,
  wallet,
  database,
  events,
  clock,
}: EnrolmentDeps) {
  async function begin(
    tx: Transaction,
    courseId: ObjectId,
    userId: ObjectId,
    { keys, transactionId }: { keys: number; transactionId: string | null },
  ): Promise<Enrolment> {
    const course = await courseStore.lock(tx, courseId);
    if (!course) throw courseNotFound();
    if (course.status !== 'published') throw courseNotOpen();
    const enrolment = await store.begin(tx, {
      courseId,
      userId,
      paidKeys: keys,
      transactionId,
      enrolledAt: clock.date(),
    });
    if (!enrolment) throw enrolledMeanwhile();
    await events.publish(tx, courseEnrolled, { userId, courseId, keys });
    return enrolment;
  }

  /**
   * Returns the price of the course in whole Keys; a price in money is converted at the current rate and rounded up.
   */
  const keysFor = ({ price, currency }: Course): Promise<number> =>
    currency === KEYS ? Promise.resolve(price) : wallet.keysFor(price, currency);

  /** Returns the enrolment that a concurrent request began; the member may have left again since. */
  async function begunMeanwhile(courseId: ObjectId, userId: ObjectId): Promise<Enrolment> {
    const found = await store.find(courseId, userId);
    if (!found) throw courseNotFound();
    return found;
  }

  async function pay(course: Course, userId: ObjectId, keys: number): Promise<Enrolment> {
    let enrolment: Enrolment | undefined;
    await wallet.transfer({
      fromUserId: userId,
      toUserId: course.ownerId,
      amount: keys,
      description: course.title,
      metadata: { courseId: course.id },
      also: async (tx, { transactionId }) => {
        enrolment = await begin(tx, course.id, userId, { keys, transactionId });
      },
    });
    return enrolment as Enrolment;
  }

  async function existing(courseId: ObjectId, userId: ObjectId): Promise<Enrolment | undefined> {
    const found = await store.find(courseId, userId);
    return found?.leftAt === null ? found : undefined;
  }

  return {
    /**
     * Enrols the caller, or returns their active enrolment. Free for the owner, administrators and members who have
     * been enrolled before.
     * @param maxKeys the most that the member agreed to pay; undefined for any price
     * @throws courseNotOpen, priceChanged, and the failures of the wallet
     */
    async enrol(
      course: Course,
      mayManage: boolean,
      { userId }: UserCaller,
      maxKeys: number | undefined,
    ): Promise<Enrolled> {
      const former = await store.find(course.id, userId);
      if (former?.leftAt === null) return { enrolment: former, isNew: false };
      if (course.status !== 'published') throw courseNotOpen();
      const keys = mayManage || former ? 0 : await keysFor(course);
      if (maxKeys !== undefined && keys > maxKeys) throw priceChanged();
      try {
        const enrolment =
          keys > 0
            ? await pay(course, userId, keys)
            : await database.transaction((tx) =>
                begin(tx, course.id, userId, { keys: 0, transactionId: null }),
              );
        return { enrolment, isNew: true };
      } catch (error) {
        if (!enrolledMeanwhile.is(error)) throw error;
        return { enrolment: await begunMeanwhile(course.id, userId), isNew: false };
      }
    },

    /** Ends the enrolment; keeps the progress and refunds nothing. @throws notEnrolled */
    async leave(courseId: ObjectId, userId: ObjectId): Promise<{ courseId: ObjectId }> {
      return database.transaction(async (tx) => {
        await courseStore.lock(tx, courseId);
        if (!(await store.end(tx, courseId, userId, clock.date()))) throw notEnrolled();
        return { courseId };
      });
    },

    /** @throws notEnrolled */
    async mustBeEnrolled(courseId: ObjectId, userId: ObjectId): Promise<Enrolment> {
      const enrolment = await existing(courseId, userId);
      if (!enrolment) throw notEnrolled();
      return enrolment;
    },

    /** Returns the courses in which the caller is enrolled, newest enrolment first. */
    async pageOf(
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<CourseView & Pick<Enrolment, 'enrolledAt' | 'completedAt'>>> {
      const page = await store.pageOf(caller.userId, request);
      const found = await courseStore.findAll(page.items.map(({ courseId }) => courseId));
      const views = new Map((await courses.viewsOf(found, caller)).map((view) => [view.id, view]));
      return mapPage(page, ({ courseId, enrolledAt, completedAt }) => ({
        ...(views.get(courseId) as CourseView),
        enrolledAt,
        completedAt,
      }));
    },
  };
}

export type EnrolmentRules = ReturnType<typeof enrolmentRules>;
