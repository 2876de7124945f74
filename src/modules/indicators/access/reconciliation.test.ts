import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, entryOf, grantOf } from '../../../../test/support/grants.ts';
import type { Grant } from './access.model.ts';
import type { Claimed } from './observations.ts';
import { grantReconciliation } from './reconciliation.ts';

// What the workers ask of the charting platform, and in which order, without a platform around the rules.

const TIMEOUT_MS = 10_000;
const [IN_AN_HOUR, NOW] = [new Date(AT.getTime() + 3_600_000), AT];

interface State {
  hasPlatform?: boolean;
  /** Answers of the account as to whether a call may be made; true after the last. */
  turns?: boolean[];
  /** What is decided for each grant that is claimed; nothing is due after the last. */
  decisions?: (Claimed | { why: string } | Error)[];
  /** How long each decision takes until it is committed. */
  decidingMs?: number;
  /** When the next grant is due, each time that it is asked; never after the last. */
  due?: (Date | undefined)[];
  pauseReason?: 'limited' | 'session-over' | 'unavailable' | null;
  /** The states of a grant, each time that it is looked at. */
  looks?: (Partial<Grant> | undefined)[];
  hasFailed?: boolean;
  checked?: string;
  failed?: Grant[];
}

function working(state: State = {}) {
  const done: unknown[][] = [];
  let elapsedMs = 0;
  const charting = Object.fromEntries(
    ['resolve', 'lookUpHolder', 'grant', 'revoke'].map((name) => [
      name,
      (...values: unknown[]) => {
        done.push([name, ...values]);
        return { kind: 'done' };
      },
    ]),
  );
  const claim = async () => (state.decisions?.length ? grantOf() : undefined);
  let look: Partial<Grant> | undefined = {};
  const rules = grantReconciliation({
    store: {
      claim,
      claimOne: claim,
      whenDue: async () => state.due?.shift(),
      find: async () => {
        if (state.looks?.length) look = state.looks.shift();
        return look && grantOf({ status: 'pending_grant', ...look });
      },
      hasFailedByOutage: async () => state.hasFailed !== false,
      failedByOutage: async (_tx: unknown, limit: number) => {
        done.push(['failed', limit]);
        return state.failed ?? [];
      },
      put: async (_tx: unknown, grants: Grant[], { why }: { why: string }) =>
        done.push(['put', grants.map(({ status, priority }) => `${status} ${priority}`), why]),
    } as never,
    account: {
      turn: async () => {
        done.push(['turn']);
        return state.turns?.shift() ?? true;
      },
      call: async (
        request: (platform: unknown) => unknown,
        { signal, ...options }: { signal?: AbortSignal } = {},
      ) => {
        assert.ok(signal, 'the wait for a check can be ended');
        done.push(['call', options]);
        return request(charting);
      },
      check: async () => {
        done.push(['check']);
        return { kind: state.checked ?? 'done' };
      },
      read: async () => ({ pauseReason: state.pauseReason ?? null }),
    } as never,
    decisions: {
      decide: async () => {
        const next = state.decisions?.shift();
        if (next instanceof Error) throw next;
        elapsedMs += state.decidingMs ?? 0;
        return next;
      },
    } as never,
    settling: {
      settle: async (claimed: Claimed, { kind }: { kind: string }) =>
        done.push(['settle', claimed.step.do, kind]),
      arrive: async (_id: string, why: string) => done.push(['arrive', why]),
    } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    jobs: {
      enqueue: async (_tx: unknown, { name }: { name: string }) => done.push(['enqueue', name]),
    } as never,
    clock: { date: () => AT, now: () => AT.getTime(), elapsedMs: () => elapsedMs } as never,
    log: { warn: (facts: object) => done.push(['warned', facts]) } as never,
    settings: { concurrency: 1, hasPlatform: state.hasPlatform !== false, timeoutMs: TIMEOUT_MS },
  });
  const run = async (place: number, signal = new AbortController().signal) => {
    const job = rules.jobs[place] as unknown as { run(data: object, context: object): Promise<void> };
    await job.run({}, { signal });
    return done;
  };
  return { done, rules, work: (signal?: AbortSignal) => run(0, signal), resume: () => run(1) };
}
const claimed = (step: Claimed['step']): Claimed => ({ grant: grantOf(), step, isFirst: false });
const entry = entryOf();
const WITH_SESSION = ['call', { withSession: true }];

test('each step is one call, made with the session unless it looks up a handle, and then settled', async () => {
  for (const [step, calls] of [
    [
      { do: 'resolve', handle: 'ada' },
      [
        ['call', { withSession: false }],
        ['resolve', 'ada'],
      ],
    ],
    [{ do: 'look', entry }, [WITH_SESSION, ['lookUpHolder', 'PUB;1', 'Ada']]],
    [{ do: 'add', entry }, [WITH_SESSION, ['grant', 'PUB;1', 'Ada']]],
    [{ do: 'remove', entry }, [WITH_SESSION, ['revoke', 'PUB;1', 'Ada']]],
  ] as [Claimed['step'], unknown[][]][]) {
    const { work } = working({ due: [NOW, IN_AN_HOUR], decisions: [claimed(step)] });
    assert.deepEqual(await work(), [['turn'], ...calls, ['settle', step.do, 'done']]);
  }
});

test('a call whose claim is older than a timeout is not made, because its lease may have passed to another worker', async () => {
  for (const [decidingMs, done] of [
    [TIMEOUT_MS, [['turn'], WITH_SESSION, ['grant', 'PUB;1', 'Ada'], ['settle', 'add', 'done']]],
    [TIMEOUT_MS + 1, [['turn']]],
  ] as [number, unknown[][]][]) {
    const { work } = working({
      due: [NOW, IN_AN_HOUR],
      decisions: [claimed({ do: 'add', entry })],
      decidingMs,
    });
    assert.deepEqual(await work(), done);
  }
});

test('a grant that needs no call arrives, and workers end when nothing is due for long', async () => {
  const { work } = working({ due: [NOW, IN_AN_HOUR], decisions: [{ why: 'Nothing is left' }] });
  assert.deepEqual(await work(), [['turn'], ['arrive', 'Nothing is left']]);
  assert.deepEqual(await working().work(), []);
  assert.deepEqual(await working({ due: [IN_AN_HOUR] }).work(), []);
});

test('without a platform, workers go on without slots', async () => {
  const decisions = [{ why: 'One' }, { why: 'Two' }];
  const { work } = working({ hasPlatform: false, due: [NOW, NOW], decisions });
  assert.deepEqual(await work(), [
    ['arrive', 'One'],
    ['arrive', 'Two'],
  ]);
});

test('a worker without a slot waits before it asks again', async () => {
  const { work } = working({ due: [NOW, NOW], turns: [false, true], decisions: [{ why: 'One' }] });
  assert.deepEqual(await work(), [['turn'], ['turn'], ['arrive', 'One']]);
});

test('a job that has worked for a minute leaves the rest to another, unless the process is ending', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const slow = (ms: number) => ({
    get why() {
      nowMs += ms;
      return 'One';
    },
  });
  const whole = await working({ due: [NOW, NOW], decisions: [slow(55_000), { why: 'Two' }] }).work();
  assert.deepEqual(whole, [['turn'], ['arrive', 'One'], ['enqueue', 'indicators.carry-out']]);
  const short = await working({ due: [NOW], decisions: [slow(54_999)] }).work();
  assert.deepEqual(short, [['turn'], ['arrive', 'One']]);
  const ending = new AbortController();
  const stopped = working({
    due: [NOW],
    decisions: [
      {
        get why() {
          ending.abort();
          nowMs += 60_000;
          return 'One';
        },
      },
    ],
  });
  assert.deepEqual(await stopped.work(ending.signal), [['turn'], ['arrive', 'One']]);
});

test('a fault of a worker fails the job, unless the process is ending', async () => {
  const fault = () => new Error('the database is away');
  await assert.rejects(working({ due: [NOW], decisions: [fault()] }).work(), /the database is away/);
  const ending = new AbortController();
  const broken = working({ due: [NOW], decisions: [fault()] });
  const ended = broken.work(ending.signal);
  ending.abort();
  await assert.doesNotReject(ended);
  const over = AbortSignal.abort();
  assert.deepEqual(await working({ due: [NOW], decisions: [fault()] }).work(over), []);
});

test('after an outage failed grants are retried, once a call succeeds, and only then', async () => {
  const failed = [grantOf({ status: 'failed', failedAction: 'grant', priority: 1 })];
  const resumed = await working({ failed }).resume();
  assert.deepEqual(resumed, [
    ['turn'],
    ['check'],
    ['failed', 500],
    ['put', ['pending_grant 0'], 'The charting platform is available again'],
    ['enqueue', 'indicators.carry-out'],
  ]);
  assert.deepEqual(await working({ failed, hasPlatform: false }).resume(), []);
  assert.deepEqual(await working({ failed, hasFailed: false }).resume(), []);
  assert.deepEqual(await working({ failed, turns: [false] }).resume(), [['turn']]);
  assert.deepEqual(await working({ failed, checked: 'fault' }).resume(), [['turn'], ['check']]);
});

test('an attempt ends with access, or with the reason why there is none yet', async () => {
  const reasonOf = (state: State) => working(state).rules.attempt('a');
  assert.equal(await reasonOf({ looks: [{ status: 'active' }] }), undefined);
  assert.equal(await reasonOf({ looks: [undefined] }), undefined);
  assert.equal(await reasonOf({ looks: [{}, {}, { status: 'active' }] }), undefined);
  assert.equal(await reasonOf({ looks: [{}, { lastError: 'no such user' }] }), 'no such user');
  for (const [pauseReason, said] of [
    ['session-over', /session .* has expired/],
    ['limited', /accepts no more calls/],
    ['unavailable', /is unavailable/],
  ] as const)
    assert.match((await reasonOf({ pauseReason, turns: [false] })) ?? '', said);
});

test('while an attempt is under way, a pause of the account is no reason against it', async () => {
  const { rules } = working({ pauseReason: 'limited', looks: [{}, { status: 'active' }] });
  assert.equal(await rules.attempt('a'), undefined);
});

test('an attempt takes one slot for each step, until the grant needs none', async () => {
  const decisions = [claimed({ do: 'look', entry }), claimed({ do: 'add', entry })];
  const { rules, done } = working({ decisions, looks: [{}, {}, {}, {}, { status: 'active' }] });
  await rules.attempt('a');
  assert.deepEqual(
    done.map(([what]) => what).filter((what) => what === 'turn' || what === 'settle'),
    ['turn', 'settle', 'turn', 'settle', 'turn'],
  );
});

test('a fault during an attempt is logged, and the attempt waits for another worker', async () => {
  const { rules, done } = working({ decisions: [new Error('away')], looks: [{}, {}, { status: 'active' }] });
  assert.equal(await rules.attempt('a'), undefined);
  assert.equal(done.filter(([what]) => what === 'warned').length, 1);
});

test('several attempts give the reasons of those without access', async () => {
  const looks = [{ status: 'active' }, { lastError: 'refused' }, { status: 'active' }] as Partial<Grant>[];
  const reasons = await working({ looks, turns: [false, false, false] }).rules.attemptAll(['a', 'b', 'c']);
  assert.deepEqual([...reasons.values()], ['refused']);
});
