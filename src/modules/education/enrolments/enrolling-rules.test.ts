import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure } from '../../../kernel/failures.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { topicOfCourse } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import { enrollingRules } from './enrolling.ts';
import type { Enrolment } from './enrolments.model.ts';

// Enrolling against requests of the same moment, which are made to happen between two statements.

const AT = new Date('2026-03-01T12:00:00Z');
const ADA = { kind: 'user', userId: 'ada', isEmailVerified: true, permissions: [] } as unknown as UserCaller;
const COURSE = {
  id: 'c1',
  ownerId: 'ben',
  title: 'Gold',
  price: 10,
  currency: 'Keys',
  status: 'published',
  ownerTeaches: true,
} as Course;
const enrolmentOf = (fields: Partial<Enrolment> = {}) =>
  ({ courseId: 'c1', userId: 'ada', paidKeys: 10, leftAt: null, ...fields }) as Enrolment;

interface State {
  /** What each lookup of the enrolment finds, in order. */
  found?: (Enrolment | undefined)[];
  /** The course as each lock finds it, in order; the last one for all others. */
  locked?: (Partial<Course> | undefined)[];
  /** The course when it is read again. */
  now?: Partial<Course> | undefined;
  hasBegun?: boolean;
  payment?: Error;
}

/** Enrols ada; returns the outcome with what was done. */
async function enrol(state: State, course: Partial<Course> = {}, maxKeys?: number) {
  const done: unknown[][] = [];
  const [found, locked] = [[...(state.found ?? [])], [...(state.locked ?? [{}])]];
  const of = (fields: Partial<Course> | undefined) => fields && { ...COURSE, ...course, ...fields };
  const { enrol } = enrollingRules({
    courseStore: {
      lock: async () => of(locked.length > 1 ? locked.shift() : locked[0]),
      find: async () => of('now' in state ? state.now : {}),
    } as never,
    store: {
      find: async () => found.shift(),
      begin: async (_tx: unknown, { paidKeys, transactionId }: Enrolment) => {
        done.push(['begin', paidKeys, transactionId]);
        return state.hasBegun ? undefined : enrolmentOf({ paidKeys, transactionId });
      },
    } as never,
    wallet: {
      transfer: async ({ toUserId, amount, also }: Record<string, never> & { also: CallableFunction }) => {
        if (state.payment) throw state.payment;
        await also('tx', { transactionId: 't1' });
        done.push(['paid', toUserId, amount]);
      },
      keysFor: async (price: number) => price * 2,
    } as never,
    identity: { mustStayVerified: async () => undefined } as never,
    notifications: {
      subscribeIn: async (_tx: unknown, [one]: object[]) => done.push(['subscribe', one]),
    } as never,
    database: { transaction: async (work: CallableFunction) => work('tx') } as never,
    events: {
      publish: async (_tx: unknown, _kind: unknown, data: object) => done.push(['publish', data]),
    } as never,
    clock: { date: () => AT } as never,
  });
  const outcome = await enrol({ ...COURSE, ...course }, false, { caller: ADA, maxKeys }).then(
    ({ enrolment, isNew }) => [isNew, enrolment.paidKeys],
    ({ code, message }: Failure) => code ?? message,
  );
  return { outcome, done };
}
const published = (keys: number) => ['publish', { userId: 'ada', courseId: 'c1', keys }];
const SUBSCRIBED = ['subscribe', { topic: topicOfCourse('c1'), userId: 'ada' }];
const PAID = [['begin', 10, 't1'], SUBSCRIBED, published(10), ['paid', 'ben', 10]];
const FREE = [['begin', 0, null], SUBSCRIBED, published(0)];

test('a course is paid to its owner, announced and begun together, and a free one is begun', async () => {
  assert.deepEqual(await enrol({}), { outcome: [true, 10], done: PAID });
  assert.deepEqual(await enrol({}, { price: 0 }), { outcome: [true, 0], done: FREE });
  const inMoney = await enrol({}, { currency: 'USD', price: 5 });
  assert.deepEqual(inMoney, { outcome: [true, 10], done: PAID });
});

test('a course that was deleted or closed meanwhile is not sold', async () => {
  assert.deepEqual(await enrol({ locked: [undefined] }), { outcome: 'NOT_FOUND', done: [] });
  for (const closed of [{ status: 'archived' }, { status: 'draft' }, { ownerTeaches: false }] as const)
    assert.deepEqual(await enrol({ locked: [closed] }), { outcome: 'COURSE_NOT_OPEN', done: [] });
});

test('a course that closes meanwhile takes back who has left it, unless it is a draft', async () => {
  const left = enrolmentOf({ leftAt: AT });
  const returning = (closed: Partial<Course>) => enrol({ locked: [closed], found: [left, left] });
  for (const closed of [{ status: 'archived' }, { ownerTeaches: false }] as const)
    assert.deepEqual(await returning(closed), { outcome: [true, 0], done: FREE });
  assert.deepEqual(await returning({ status: 'draft' }), { outcome: 'COURSE_NOT_OPEN', done: [] });
});

test('a course that was passed on meanwhile is paid to its new owner', async () => {
  const passed = { ownerId: 'cat' };
  const { outcome, done } = await enrol({ locked: [passed], now: passed });
  assert.deepEqual(
    [outcome, done.at(-1)],
    [
      [true, 10],
      ['paid', 'cat', 10],
    ],
  );
  const gone = await enrol({ locked: [passed], now: undefined });
  assert.deepEqual(gone, { outcome: 'NOT_FOUND', done: [] });
});

test('who was enrolled by a request of the same moment is enrolled once', async () => {
  const meanwhile = { hasBegun: true };
  const active = await enrol({ ...meanwhile, found: [undefined, undefined, enrolmentOf({ paidKeys: 7 })] });
  assert.deepEqual(active.outcome, [false, 7]);
  assert.deepEqual(active.done, [['begin', 10, 't1'], SUBSCRIBED], 'nothing is paid or announced');
  const left = enrolmentOf({ leftAt: AT, paidKeys: 7 });
  assert.deepEqual((await enrol({ ...meanwhile, found: [undefined, undefined, left] })).outcome, [false, 7]);
});

test('who enrolled and left meanwhile does not pay again', async () => {
  const left = enrolmentOf({ leftAt: AT });
  const { outcome, done } = await enrol({ found: [undefined, left, left] });
  assert.deepEqual([outcome, done], [[true, 0], FREE]);
});

test('after a payment that failed, the enrolment of a request of the same moment counts', async () => {
  const payment = failure(400, 'INSUFFICIENT_BALANCE', 'Insufficient balance')();
  const failed = async (...found: (Enrolment | undefined)[]) => (await enrol({ payment, found })).outcome;
  assert.equal(await failed(undefined, undefined), 'INSUFFICIENT_BALANCE');
  assert.deepEqual(await failed(undefined, enrolmentOf({ paidKeys: 7 })), [false, 7]);
  assert.deepEqual(await failed(undefined, enrolmentOf({ leftAt: AT })), [true, 0]);
});

test('who has been enrolled pays nothing, and who is enrolled needs no open course', async () => {
  assert.deepEqual((await enrol({ found: [enrolmentOf({ leftAt: AT })] })).done, FREE);
  const enrolled = { found: [enrolmentOf({ paidKeys: 3 })] };
  assert.deepEqual(await enrol(enrolled, { status: 'draft' }), { outcome: [false, 3], done: [] });
  assert.deepEqual(await enrol({}, { status: 'draft' }), { outcome: 'COURSE_NOT_OPEN', done: [] });
});

test('a price above what the member agreed to is refused, and the same price is not', async () => {
  assert.deepEqual((await enrol({}, {}, 9)).outcome, 'PRICE_CHANGED');
  assert.deepEqual((await enrol({}, {}, 10)).outcome, [true, 10]);
  assert.deepEqual((await enrol({}, { currency: 'USD' }, 19)).outcome, 'PRICE_CHANGED');
});
