import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, notFound } from '../../kernel/failures.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Report, Verdict } from './contract.ts';
import { reportRules } from './reports.ts';

// What is decided about reports, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const EVE = { userId: 'eve', kind: 'user' } as UserCaller;
const REPORT: Report = {
  id: 'r1',
  kind: 'post',
  subjectId: 'p1',
  authorId: 'ada',
  text: 'Buy!',
  containerId: null,
  reportedBy: 'ben',
  reason: 'Spam',
  status: 'open',
  createdAt: AT,
  resolvedAt: null,
  resolvedBy: null,
  note: null,
  earlierTexts: [],
};

interface State {
  report?: Partial<Report>;
  isMissing?: boolean;
  isReportedBy?: boolean;
  resolved?: { reports: number; isOwn: boolean };
  removal?: () => Promise<(() => Promise<void>) | undefined>;
  isNew?: boolean;
  text?: string;
}

function ruling(state: State = {}) {
  const done: unknown[][] = [];
  let report = { ...REPORT, ...state.report };
  const rules = reportRules({
    remains: { areKnown: async () => false } as never,
    store: {
      find: async () => (state.isMissing ? undefined : report),
      isReportedBy: async () => state.isReportedBy === true,
      resolve: async (
        _tx: unknown,
        _report: Report,
        end: { outcome: Report['status']; by: string; note: string },
      ) => {
        done.push(['resolve', end.outcome, end.note]);
        report = { ...report, status: end.outcome, resolvedBy: end.by, resolvedAt: AT };
        return state.resolved ?? { reports: 2, isOwn: false };
      },
      insert: async (_tx: unknown, made: Report) => {
        done.push(['insert', made.text.length]);
        return state.isNew !== false;
      },
      pageOf: async (_filter: object, request: object) => ({ ...request, items: [report], total: 1 }),
    } as never,
    closeReports: async (_tx, { containerIds = [] }) => void done.push(['close', ...containerIds]),
    mayReport: async () => undefined,
    identity: { profilesOf: async () => [], keep: async () => true } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    events: {
      publish: async (_tx: unknown, _event: unknown, data: object) => done.push(['publish', data]),
    } as never,
    audit: {
      record: async (
        _tx: unknown,
        { action, target, details }: { action: string; target: string; details: object },
      ) => done.push(['audit', action, target, details]),
    } as never,
    clock: { date: () => AT } as never,
    newId: () => 'r2',
  });
  rules.collect([
    {
      kind: 'post',
      find: async () => ({ authorId: 'ada', text: state.text ?? 'Buy!', containerId: null }),
      remove: async () => {
        done.push(['remove']);
        return state.removal?.();
      },
    } as never,
  ]);
  return { rules, done };
}
const FACTS = { requestId: 'q1' } as never;
const codeOf = ({ status, code, message }: Failure) => (code ? `${status} ${code}` : message);
/** Resolves the report; returns the result or the failure, with what was done. */
async function resolve(verdict: Partial<Verdict> = {}, state: State = {}) {
  const { rules, done } = ruling(state);
  const decided = { outcome: 'removed', ...verdict } as Verdict;
  const result = await rules.resolve('r1', decided, EVE, FACTS).then(({ status }) => status, codeOf);
  return { result, done };
}

test('a verdict resolves, removes, is recorded and then told, in this order', async () => {
  const told: string[] = [];
  const tell = async () => {
    told.push('told');
  };
  const { result, done } = await resolve({ note: 'Rude' }, { removal: async () => tell });
  const details = { kind: 'post', subjectId: 'p1', outcome: 'removed', reports: 2, note: 'Rude' };
  assert.deepEqual(done, [
    ['resolve', 'removed', 'Rude'],
    ['close', 'p1'],
    ['remove'],
    ['audit', 'moderation.resolved', 'ada', details],
  ]);
  assert.deepEqual([result, told], ['removed', ['told']]);
  const dismissed = await resolve({ outcome: 'dismissed' });
  assert.deepEqual(
    dismissed.done.map(([what]) => what),
    ['resolve', 'audit'],
  );
  assert.equal('note' in (dismissed.done[1]?.[3] as object), false);
});

test('what is gone already counts as removed, and another fault undoes the verdict', async () => {
  const throwing = (error: Error) => ({ removal: () => Promise.reject(error) });
  assert.equal((await resolve({}, throwing(notFound('Post')()))).result, 'removed');
  assert.equal((await resolve({}, throwing(new Failure(403, 'FORBIDDEN', 'No')))).result, '403 FORBIDDEN');
  assert.equal((await resolve({}, throwing(new Error('away')))).result, 'away');
  const similar = Object.assign(new Error('not ours'), { status: 404 });
  assert.equal((await resolve({}, throwing(similar))).result, 'not ours');
});

test('a report is resolved once, and not by its author or a reporter, also of the same moment', async () => {
  assert.equal((await resolve({}, { report: { status: 'dismissed' } })).result, '409 ALREADY_RESOLVED');
  assert.equal((await resolve({}, { isMissing: true })).result, '404 NOT_FOUND');
  const own = '403 OWN_REPORT';
  for (const state of [{ report: { authorId: 'eve' } }, { isReportedBy: true }] as State[]) {
    const { result, done } = await resolve({}, state);
    assert.deepEqual([String(result).split(' ')[1], done], [own.split(' ')[1], []]);
  }
  const none = await resolve({}, { resolved: { reports: 0, isOwn: false } });
  assert.deepEqual([none.result, none.done.length], ['409 ALREADY_RESOLVED', 1]);
  const meanwhile = await resolve({}, { resolved: { reports: 1, isOwn: true } });
  assert.deepEqual([String(meanwhile.result).split(' ')[1], meanwhile.done.length], ['OWN_REPORT', 1]);
});

test('content of a kind that nobody reports is not found', async () => {
  const { rules } = ruling();
  assert.equal(
    await rules.report({ kind: 'stone', subjectId: 's1', reason: 'Spam' }, EVE).catch(codeOf),
    '404 NOT_FOUND',
  );
});

test('a report keeps up to four thousand characters, and is announced if it is new', async () => {
  const made = ruling({ text: 'x'.repeat(4_001) });
  const report = (await made.rules.report({ kind: 'post', subjectId: 'p1', reason: 'Spam' }, EVE)) as Report;
  assert.deepEqual([report.status, report.reportedBy, report.text.length], ['open', 'eve', 4_000]);
  const data = { reportId: 'r2', kind: 'post', subjectId: 'p1', authorId: 'ada' };
  assert.deepEqual(made.done, [
    ['insert', 4_000],
    ['publish', data],
  ]);
  const again = ruling({ isNew: false });
  assert.equal(
    await again.rules.report({ kind: 'post', subjectId: 'p1', reason: 'Spam' }, EVE).catch(codeOf),
    '409 ALREADY_REPORTED',
  );
  assert.equal(again.done.length, 1);
});

test('authors do not see who reported them, and others do', async () => {
  const seenBy = async (userId: string) => {
    const page = await ruling().rules.worklist({}, { page: 1, limit: 9 }, { ...EVE, userId });
    return [page.items[0]?.reportedBy, page.items[0]?.reporter === null];
  };
  assert.deepEqual(await seenBy('eve'), ['ben', false]);
  assert.deepEqual(await seenBy('ada'), [null, true]);
});

test('of several reports, one that was resolved with another of the same item counts as done', async () => {
  const resolveAll = async (report: Partial<Report>) => {
    const { rules, done } = ruling({ report });
    const [one] = await rules.resolveAll(['r1'], { outcome: 'removed' } as Verdict, EVE, FACTS);
    return [one?.status, one?.error, done.length > 0];
  };
  const done = { status: 'removed', resolvedBy: 'eve', resolvedAt: AT } as const;
  assert.deepEqual(await resolveAll({}), ['removed', null, true]);
  assert.deepEqual(await resolveAll(done), ['removed', null, false]);
  const earlier = new Date(AT.getTime() - 1);
  for (const other of [
    { ...done, resolvedAt: earlier },
    { ...done, resolvedBy: 'dan' },
    { ...done, status: 'dismissed' as const },
  ])
    assert.deepEqual(await resolveAll(other), [null, 'ALREADY_RESOLVED', false]);
});
