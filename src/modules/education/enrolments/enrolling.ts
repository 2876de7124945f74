import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { mustHaveVerifiedEmail } from '../../../kernel/operations/verified-email.ts';
import {
  AlreadyProcessed,
  answered,
  type IdempotencyContext,
  notIdempotent,
} from '../../../kernel/records/idempotency.ts';
import type { Identity } from '../../identity/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import type { Wallet } from '../../wallet/contract.ts';
import { courseEnrolled, courseNotFound, topicOfCourse } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseStore } from '../courses/courses.store.ts';
import { priceInKeys } from '../courses/prices.ts';
import { isOpen, takesBack } from '../courses/viewing.ts';
import { courseNotOpen, priceChanged } from '../failures.ts';
import type { Enrolment } from './enrolments.model.ts';
import type { EnrolmentStore } from './enrolments.store.ts';

interface EnrollingDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  courseStore: CourseStore;
  store: EnrolmentStore;
  wallet: Pick<Wallet, 'transfer' | 'keysFor'>;
  identity: Pick<Identity, 'mustStayVerified'>;
  notifications: Pick<Notifications, 'subscribeIn'>;
}

/** A new or existing enrolment. */
export interface Enrolled {
  enrolment: Enrolment;
  isNew: boolean;
}

/** How an enrolment begins. */
interface Begun {
  keys: number;
  transactionId: string | null;
  /** The owner who is paid. */
  paidTo?: ObjectId;
  idempotency: IdempotencyContext;
}

/** Who enrols, for how much. */
interface Asked {
  caller: UserCaller;
  keys: number;
  idempotency: IdempotencyContext;
}

interface Enrolling extends Pick<Asked, 'caller'> {
  /** The maximum price that the member agreed to; undefined for any price. */
  maxKeys: number | undefined;
  idempotency?: IdempotencyContext;
}

/** Internal: a concurrent request enrolled the member first. */
const enrolledMeanwhile = failure(409, 'ALREADY_ENROLLED', 'You are already enrolled');
/** Internal: concurrent requests enrolled the member and left the course again, so that nothing must be paid. */
const enrolledBefore = failure(409, 'ENROLLED_BEFORE', 'You have been enrolled before');

/** Internal: an administrator passed the course on to another owner, who is to be paid. */
const ownerChanged = failure(409, 'COURSE_OWNER_CHANGED', 'The course has another owner now');

const mayBegin = (course: Course, former: Enrolment | undefined): boolean =>
  isOpen(course) || (former !== undefined && takesBack(course));

/** Enrolling in courses. The price of a course is paid in the transaction that enrols the member. */
export function enrollingRules(deps: EnrollingDeps) {
  const { courseStore, store, wallet, identity, notifications, database, events, clock } = deps;
  async function begin(
    tx: Transaction,
    courseId: ObjectId,
    userId: ObjectId,
    { keys, transactionId, paidTo, idempotency }: Begun,
  ): Promise<Enrolment> {
    const course = await courseStore.lock(tx, courseId);
    if (!course) throw courseNotFound();
    const former = keys > 0 || !isOpen(course) ? await store.find(courseId, userId, tx) : undefined;
    if (!mayBegin(course, former)) throw courseNotOpen();
    if (paidTo !== undefined && course.ownerId !== paidTo) throw ownerChanged();
    if (keys > 0 && former?.leftAt) throw enrolledBefore();
    // Sent at once, because other enrolments wait for the course. Both are rolled back if the member was enrolled already.
    const [enrolment] = await Promise.all([
      store.begin(tx, {
        courseId,
        userId,
        paidKeys: keys,
        transactionId,
        enrolledAt: clock.date(),
      }),
      notifications.subscribeIn(tx, [{ topic: topicOfCourse(courseId), userId }]),
    ]);
    if (!enrolment) throw enrolledMeanwhile();
    await events.publish(tx, courseEnrolled, { userId, courseId, keys });
    return answered(tx, { idempotency }, enrolment);
  }

  async function pay(course: Course, { caller: sender, keys, idempotency }: Asked): Promise<Enrolment> {
    mustHaveVerifiedEmail(sender);
    const { userId } = sender;
    let enrolment: Enrolment | undefined;
    await wallet.transfer({
      fromUserId: userId,
      sender,
      toUserId: course.ownerId,
      amount: keys,
      description: course.title,
      metadata: { courseId: course.id },
      admit: (tx) => identity.mustStayVerified(tx, sender),
      also: async (tx, { transactionId }) => {
        const begun = { keys, transactionId, paidTo: course.ownerId, idempotency };
        enrolment = await begin(tx, course.id, userId, begun);
      },
    });
    return enrolment as Enrolment;
  }

  const beginFree = (courseId: ObjectId, { caller, idempotency }: Asked): Promise<Enrolment> =>
    database.transaction((tx) =>
      begin(tx, courseId, caller.userId, { keys: 0, transactionId: null, idempotency }),
    );

  /** @throws courseNotFound */
  async function presentOf({ id }: Course): Promise<Course> {
    const now = await courseStore.find(id);
    if (!now) throw courseNotFound();
    return now;
  }

  const beginNew = (course: Course, asked: Asked): Promise<Enrolment> =>
    asked.keys > 0 ? pay(course, asked) : beginFree(course.id, asked);

  /**
   * Begins an enrolment for this price, or returns one that a concurrent request began. That request may also have
   * spent the Keys that this one lacked, so the check follows any failure.
   */
  async function beginOrFind(course: Course, asked: Asked): Promise<Enrolled> {
    const { keys, caller } = asked;
    const { userId } = caller;
    try {
      const enrolment = await beginNew(course, asked);
      return { enrolment, isNew: true };
    } catch (error) {
      if (error instanceof AlreadyProcessed) throw error;
      if (ownerChanged.is(error)) {
        return beginOrFind(await presentOf(course), asked);
      }
      const found = await store.find(course.id, userId);
      // After a concurrent enrolment the member may already have left again.
      if (found && (found.leftAt === null || enrolledMeanwhile.is(error)))
        return { enrolment: found, isNew: false };
      // The member has enrolled and left again in the meantime, and enrolling again is free.
      if (found && keys > 0) return beginOrFind(course, { ...asked, keys: 0 });
      throw error;
    }
  }

  return {
    /**
     * Enrols the caller, or returns their active enrolment. Free for the owner, administrators and members who were
     * enrolled before, to whom also a course is open that takes nobody else.
     * @throws courseNotOpen, priceChanged, noExchangeRate, emailNotVerified if it costs Keys, and the failures of the wallet
     */
    async enrol(
      course: Course,
      mayManage: boolean,
      { caller, maxKeys, idempotency = notIdempotent }: Enrolling,
    ): Promise<Enrolled> {
      const former = await store.find(course.id, caller.userId);
      if (former?.leftAt === null) return { enrolment: former, isNew: false };
      if (!mayBegin(course, former)) throw courseNotOpen();
      const keys = mayManage || former ? 0 : await priceInKeys(wallet, course);
      if (maxKeys !== undefined && keys > maxKeys) throw priceChanged(keys);
      return beginOrFind(course, { caller, keys, idempotency });
    },
  };
}

export type EnrollingRules = ReturnType<typeof enrollingRules>;
