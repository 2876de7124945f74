import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Notifications } from '../../notifications/contract.ts';
import type { Wallet } from '../../wallet/contract.ts';
import { courseEnrolled, courseNotFound, topicOfCourse } from '../contract.ts';
import { KEYS } from '../courses/courses.schemas.ts';
import type { Course, CourseStore } from '../courses/courses.store.ts';
import type { CourseRules, CourseView } from '../courses/courses.ts';
import { courseNotOpen, notEnrolled, priceChanged } from '../failures.ts';
import { isOpen } from '../lessons/viewing.ts';
import type { Enrolment, EnrolmentStore } from './enrolments.store.ts';

interface EnrolmentDeps {
  courses: CourseRules;
  courseStore: CourseStore;
  store: EnrolmentStore;
  wallet: Pick<Wallet, 'transfer' | 'keysFor'>;
  notifications: Pick<Notifications, 'subscribeIn' | 'unsubscribeIn'>;
  database: Database;
  events: Events;
  clock: Clock;
}

/** A new or existing enrolment. */
export interface Enrolled {
  enrolment: Enrolment;
  isNew: boolean;
}

const LEFT_AT_ONCE = 500;

/** Never sent to clients: a concurrent request enrolled the member first. */
const enrolledMeanwhile = failure(409, 'ALREADY_ENROLLED', 'You are already enrolled');
/** Never sent to clients: concurrent requests enrolled the member and left the course again, so that nothing is paid. */
const enrolledBefore = failure(409, 'ENROLLED_BEFORE', 'You have been enrolled before');

/** Enrolments in courses. The price of a course is paid in the transaction that enrols the member. */
export function enrolmentRules({
  courses,
  courseStore,
  store,
  wallet,
  notifications,
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
    if (!isOpen(course)) throw courseNotOpen();
    if (keys > 0 && (await store.find(courseId, userId, tx))?.leftAt) throw enrolledBefore();
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

  const beginFree = (courseId: ObjectId, userId: ObjectId): Promise<Enrolment> =>
    database.transaction((tx) => begin(tx, courseId, userId, { keys: 0, transactionId: null }));

  /**
   * Begins an enrolment for this price, or returns the one that a concurrent request began. That request may also have
   * spent the Keys that this one lacked, so any failure is looked at.
   */
  async function beginOrFind(course: Course, userId: ObjectId, keys: number): Promise<Enrolled> {
    try {
      const enrolment = keys > 0 ? await pay(course, userId, keys) : await beginFree(course.id, userId);
      return { enrolment, isNew: true };
    } catch (error) {
      const found = await store.find(course.id, userId);
      // After a concurrent enrolment the member may have left again.
      if (found && (found.leftAt === null || enrolledMeanwhile.is(error)))
        return { enrolment: found, isNew: false };
      // They have left again before this request could begin: enrolling again is free.
      if (found && keys > 0) return beginOrFind(course, userId, 0);
      throw error;
    }
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
      if (!isOpen(course)) throw courseNotOpen();
      const keys = mayManage || former ? 0 : await keysFor(course);
      if (maxKeys !== undefined && keys > maxKeys) throw priceChanged();
      return beginOrFind(course, userId, keys);
    },

    /** Ends the enrolment and the subscription; keeps the progress and refunds nothing. @throws notEnrolled */
    async leave(courseId: ObjectId, userId: ObjectId): Promise<{ courseId: ObjectId }> {
      return database.transaction(async (tx) => {
        await courseStore.lock(tx, courseId);
        if (!(await store.end(tx, courseId, userId, clock.date()))) throw notEnrolled();
        await notifications.unsubscribeIn(tx, [{ topic: topicOfCourse(courseId), userId }]);
        return { courseId };
      });
    },

    /** Subscribes a member to the notifications of a course, unless they have left it meanwhile. */
    async subscribe(tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<void> {
      if (!(await store.lock(tx, courseId, userId))) return;
      await notifications.subscribeIn(tx, [{ topic: topicOfCourse(courseId), userId }]);
    },

    /** Removes the subscriptions that members who have left may still have. */
    async unsubscribeLeft(): Promise<void> {
      for (let after = { courseId: '', userId: '' }; ; ) {
        const left = await database.transaction(async (tx) => {
          const some = await store.lockLeft(tx, after, LEFT_AT_ONCE);
          const subscriptions = some.map(({ courseId, userId }) => ({
            topic: topicOfCourse(courseId),
            userId,
          }));
          await notifications.unsubscribeIn(tx, subscriptions);
          return some;
        });
        if (left.length < LEFT_AT_ONCE) return;
        after = left.at(-1) as typeof after;
      }
    },

    /** @throws notEnrolled */
    async mustBeEnrolled(courseId: ObjectId, userId: ObjectId): Promise<Enrolment> {
      const enrolment = await existing(courseId, userId);
      if (!enrolment) throw notEnrolled();
      return enrolment;
    },

    /** Returns the courses in which the caller is enrolled and that they may see, newest enrolment first. */
    async pageOf(
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<CourseView & Pick<Enrolment, 'enrolledAt' | 'completedAt'>>> {
      const page = await store.pageOf(caller.userId, holds(caller, 'admin'), request);
      const found = await courseStore.summariesOf(page.items.map(({ courseId }) => courseId));
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
