import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareIndicatorAccess,
  deleteIndicator,
  deleteUser,
  resolveIndicatorAccess,
  retryIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
  takeOverIndicatorAccess,
  updateIndicator,
} from '../../../../sdk/src/index.ts';
import { inLanes } from '../../../../test/support/client.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

// Every state of a grant meets everything that can happen to it: nothing is refused with a fault of ours, the grant comes
// to rest, and at last it ends. What a person gave by hand, a person takes away.

const platform = await startPlatform({ ...ANSWERED, CHARTING_ATTEMPTS: '1', LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const tools = indicatorTools(platform);
const { tell, admit } = tools;

interface Case {
  member: Awaited<ReturnType<typeof tools.newCustomer>>;
  scanner: Awaited<ReturnType<typeof tools.newIndicator>>;
  handle: string;
  /** Empty before the first grant. */
  accessId: string;
}
type Doing = (one: Case) => Promise<{ status: number }>;

interface Access {
  id: string;
  status: string;
  errorKind: string | null;
}
const statusOf = async ({ member }: Case): Promise<Access> =>
  (await database.first<Access>('select id, status, error_kind from indicators.access where user_id = $1', [
    member.id,
  ])) ?? { id: '', status: 'revoked', errorKind: null };
const toBe = (one: Case, ...wanted: string[]) =>
  until(async () => wanted.includes((await statusOf(one)).status), `${wanted} of ${one.handle}`);
const paramsOf = ({ scanner, accessId }: Case) => ({ params: { id: scanner.id, accessId } });
const retry: Doing = (one) => admin.attempt(retryIndicatorAccess, paramsOf(one));
const takeOver: Doing = (one) => admin.attempt(takeOverIndicatorAccess, paramsOf(one));
const resolve: Doing = (one) =>
  admin.attempt(resolveIndicatorAccess, { ...paramsOf(one), body: { note: 'by hand' } });

const grant: Doing = ({ scanner, member, handle }) => tools.grant(scanner, member, handle);
const revoke: Doing = (one) => admin.attempt(revokeIndicatorAccess, paramsOf(one));
const begin = async (one: Case): Promise<void> => {
  assert.equal((await grant(one)).status, 201);
  one.accessId = (await statusOf(one)).id;
};
const failing = new Set<string>();
let telling: Promise<unknown> = Promise.resolve();
/** Has the charting platform fail for these handles alone; one call after the other, so that the last one counts. */
function tellAll(): Promise<unknown> {
  telling = telling.then(() => tell(failing.size > 0 ? 'fail' : 'ok', { handles: [...failing] }));
  return telling;
}
async function whileItFails(one: Case, doing: () => Promise<unknown>): Promise<void> {
  failing.add(one.handle);
  await tellAll();
  // So many faults in a row would pause the account for longer and longer.
  await database.execute(
    'update indicators.account set faults = 0, paused_until = null, pause_reason = null',
  );
  await doing();
  await toBe(one, 'failed');
  failing.delete(one.handle);
  await tellAll();
}
const depending = (one: Case) =>
  database.execute(`update indicators.access set source = 'automated' where user_id = $1`, [one.member.id]);
const inactive: Doing = ({ member }) => tools.activity({ userId: member.id, active: false });
async function byHand(one: Case): Promise<void> {
  await begin(one);
  await toBe(one, 'failed');
  assert.equal((await resolve(one)).status, 200);
}

/** The steps that lead to each state. `hasScript` says whether the indicator has a pineId. */
const STATES: Record<string, { hasScript: boolean; make: (one: Case) => Promise<void> }> = {
  'failed for want of a script': { hasScript: false, make: begin },
  'given by hand, without a script': { hasScript: false, make: byHand },
  'given by hand, without a script, in grace': {
    hasScript: false,
    make: async (one) => {
      await byHand(one);
      await depending(one);
      await inactive(one);
    },
  },
  'given by hand, without a script, not taken away yet': {
    hasScript: false,
    make: async (one) => {
      await byHand(one);
      await revoke(one);
      await toBe(one, 'failed');
    },
  },
  'taken away by hand': {
    hasScript: false,
    make: async (one) => {
      await byHand(one);
      await revoke(one);
      await toBe(one, 'failed');
      await resolve(one);
    },
  },
  'given by hand, and the script came later': {
    hasScript: false,
    make: async (one) => {
      await byHand(one);
      const pineId = `PUB;later${one.scanner.id}`;
      await admin.call(updateIndicator, { params: { id: one.scanner.id }, body: { pineId } });
      await toBe(one, 'active');
    },
  },
  active: {
    hasScript: true,
    make: async (one) => {
      await begin(one);
      await toBe(one, 'active');
    },
  },
  'found there': {
    hasScript: true,
    make: async (one) => {
      await admit(one.scanner.pineId, one.handle);
      await begin(one);
      await toBe(one, 'active');
    },
  },
  'in grace': {
    hasScript: true,
    make: async (one) => {
      await begin(one);
      await toBe(one, 'active');
      await depending(one);
      await inactive(one);
    },
  },
  'failed though it has a script': { hasScript: true, make: (one) => whileItFails(one, () => begin(one)) },
  'given by hand, with a script': {
    hasScript: true,
    make: async (one) => {
      await whileItFails(one, () => begin(one));
      await resolve(one);
    },
  },
  'revoked in vain': {
    hasScript: true,
    make: async (one) => {
      await begin(one);
      await toBe(one, 'active');
      await whileItFails(one, () => revoke(one));
    },
  },
  revoked: {
    hasScript: true,
    make: async (one) => {
      await begin(one);
      await toBe(one, 'active');
      await revoke(one);
      await toBe(one, 'revoked');
    },
  },
};

const DOINGS: Record<string, Doing> = {
  'the same grant': grant,
  'a grant with another handle': (one) => tools.grant(one.scanner, one.member, `${one.handle}_2`),
  revocation: revoke,
  'the revoke webhook': ({ member: { customerId } }) => tools.access({ customerId, action: 'revoke' }),
  inactivity: inactive,
  activity: ({ member }) => tools.activity({ userId: member.id, active: true }),
  retry,
  resolving: resolve,
  'taking over': takeOver,
  'another charting username': ({ member, handle }) =>
    member.client.call(setChartingUsername, { body: { chartingUsername: `${handle}_3` } }),
  'a comparison': () => admin.call(compareIndicatorAccess),
  'the loss of the script': ({ scanner }) =>
    admin.call(updateIndicator, { params: { id: scanner.id }, body: { pineId: null } }),
  'the deletion of the indicator': ({ scanner }) =>
    admin.attempt(deleteIndicator, { params: { id: scanner.id } }),
  'the deletion of the member': ({ member }) => admin.attempt(deleteUser, { params: { userId: member.id } }),
};

let number = 0;
async function newCase(hasScript: boolean): Promise<Case> {
  const member = await tools.newCustomer();
  // Not offered, so that no webhook grants it to anybody else.
  const scanner = await tools.newIndicator({ isActive: false, ...(!hasScript && { pineId: null }) });
  return { member, scanner, handle: `pair_${++number}`, accessId: '' };
}

/** A person must remove by hand what a person has granted by hand. */
async function takeAwayByHand(one: Case, expected = [200]): Promise<void> {
  const { status, errorKind } = await statusOf(one);
  if (status !== 'failed' || errorKind !== 'by-hand') return;
  const resolved = await resolve(one);
  assert.ok(expected.includes(resolved.status), `the resolution: ${resolved.status}`);
}

/** Ends a grant as an administrator does. */
async function finish(one: Case): Promise<void> {
  const { status } = await revoke(one);
  assert.ok([200, 404].includes(status), `the revocation: ${status}`);
  await toBe(one, 'failed', 'revoked');
  await takeAwayByHand(one);
  await toBe(one, 'revoked');
}

/**
 * Waits until nothing of a deleted member remains. The erasure follows the deletion and orders the end of a grant once more:
 * one that had failed before is then, for a moment, not failed, and cannot be resolved.
 */
const untilErased = (one: Case) =>
  until(async () => {
    await takeAwayByHand(one, [200, 409]);
    const { id } = one.member;
    return (await database.count('select count(*) from indicators.access where user_id = $1', [id])) === 0;
  }, `the end of all that ${one.handle} had`);

for (const [state, { hasScript, make }] of Object.entries(STATES))
  test(`a grant that is ${state} and everything that can happen to it`, async () => {
    await inLanes(Object.keys(DOINGS).length, 4, async (place) => {
      const [what, doing] = Object.entries(DOINGS)[place] as [string, Doing];
      const one = await newCase(hasScript);
      await make(one);
      for (let times = 0; times < 2; times++) {
        const { status } = await doing(one);
        assert.ok(status < 500, `${what}: ${status}`);
      }
      await (what === 'the deletion of the member' ? untilErased(one) : finish(one));
    });
    const wrong = await database.all(
      `select indicator_id, status, sum(count) from
         (select indicator_id, status, count from indicators.tally
          union all select indicator_id, status, -count(*) from indicators.access group by 1, 2) as counted
       group by 1, 2 having sum(count) <> 0`,
    );
    assert.deepEqual(wrong, [], 'the counters are exact');
  });
