import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compareIndicatorAccess,
  createProduct,
  decideAccessRequest,
  grantIndicatorAccess,
  resolveIndicatorAccess,
  retryIndicatorAccess,
  revokeIndicatorAccess,
  setChartingUsername,
  submitAccessRequest,
} from '../../sdk/src/index.ts';
import { inLanes } from '../support/client.ts';
import { indicatorTools, QUICK } from '../support/indicators.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { expectedStatus, noWish, type Wish, wishing } from '../support/wishes.ts';

// Members, administrators and the backoffice act at random while the charting platform misbehaves at random. Once it
// behaves again and everything rests, what it holds is exactly what is wanted, whatever happened in between, and whom its
// owner admitted by hand: nobody of them is ever removed, though members take their handles.

const GRACE_MS = 2_000_000;
const platform = await startPlatform({
  ...QUICK,
  LOG_LEVEL: 'silent',
  INDICATOR_GRACE_DAYS: String(GRACE_MS / 86_400_000),
});
const { clock, database } = platform;
const { wish, pass, end } = wishing(clock);
let { admin } = platform;
const tools = indicatorTools(platform);
const scanners = [await tools.newIndicator(), await tools.newIndicator()];
const products = await Promise.all(
  scanners.map(
    async ({ id: scannerId }) =>
      (await admin.call(createProduct, { body: { name: 'P', productType: 'scanner', scannerId } })).data,
  ),
);

const MEMBERS = 12;
const MODES = [
  'ok',
  'ok',
  'fail',
  'hang',
  'nonsense',
  'lost',
  'late',
  'limit',
  'session-expired',
  'unknown-user',
];
const KINDS = [
  'grant-by-hand',
  'revoke-by-hand',
  'grant-all',
  'revoke-all',
  'inactive',
  'active',
  'rename',
  'approve',
  'withdraw',
  'retry',
  'resolve',
  'compare',
  'admit',
  'pass',
] as const;

interface Actor {
  member: Awaited<ReturnType<typeof tools.newCustomer>>;
  handles: string[];
  /** Nobody has taken it before the owner of the scripts admits it by hand. */
  reserved: string | undefined;
  /** By indicator. */
  wishes: Wish[];
  requests: (string | undefined)[];
}
interface Command {
  member: number;
  kind: (typeof KINDS)[number];
  scanner: number;
  handle: number;
}

const keyOf = (scanner: number, handle: string): string => `${scanner} ${handle.toLowerCase()}`;
/** Whom the owner of the scripts admitted before any member took the handle. */
const admitted = new Set<string>();
/** What a person gave because of a grant: nobody can tell afterwards who made it. */
const byHand = new Set<string>();
async function admit(scanner: number, handle: string): Promise<void> {
  admitted.add(keyOf(scanner, handle));
  await tools.admit(String(scanners[scanner]?.pineId), handle);
}

interface AccessRow {
  id: string;
  status: string;
  failedAction: string | null;
  handle: string;
}
const rowOf = ({ member }: Actor, scanner: number): Promise<AccessRow | undefined> =>
  database.first<AccessRow>(
    'select id, status, failed_action, handle from indicators.access where user_id = $1 and indicator_id = $2',
    [member.id, scanners[scanner]?.id],
  );

const expect = (status: number, ...allowed: number[]) =>
  assert.ok(allowed.includes(status), `answered ${status}`);

interface Doing {
  actor: Actor;
  scanner: number;
  handle: string;
  own: Wish;
  /** Of the indicator. */
  id: string;
}

const grantAll = async ({ actor: { member, wishes }, handle }: Doing): Promise<void> => {
  const body = { customer_id: member.customerId, charting_username: handle, action: 'grant' };
  for (const { status } of await Promise.all([tools.access(body), tools.access(body)])) expect(status, 200);
  for (const one of wishes) wish(one, handle, 'automated');
};

const reportActivity =
  (active: boolean) =>
  async ({ actor: { member, wishes } }: Doing): Promise<void> => {
    expect((await tools.activity({ userId: member.id, active })).status, 200);
    for (const one of wishes) {
      pass(one);
      if (one.source === 'manual' || !one.wanted) continue;
      one.graceEndsAt = active ? undefined : (one.graceEndsAt ?? clock.now() + GRACE_MS);
    }
  };

/** What each kind of command does, and what follows from it for the wishes. */
const DO: Record<Command['kind'], (doing: Doing) => Promise<void>> = {
  'grant-by-hand': async ({ actor, own, id, handle }) => {
    const body = { userId: actor.member.id, chartingUsername: handle };
    expect((await admin.attempt(grantIndicatorAccess, { params: { id }, body })).status, 201);
    wish(own, handle, 'manual');
  },
  'revoke-by-hand': async ({ actor, own, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    const revoke = (accessId: string) => admin.attempt(revokeIndicatorAccess, { params: { id, accessId } });
    if (row) expect((await revoke(row.id)).status, 200);
    end(own);
  },
  'grant-all': grantAll,
  'revoke-all': async ({ actor: { member, wishes } }) => {
    expect((await tools.access({ customer_id: member.customerId, action: 'revoke' })).status, 200);
    for (const one of wishes) end(one);
  },
  inactive: reportActivity(false),
  active: reportActivity(true),
  rename: async ({ actor: { member, wishes }, handle }) => {
    const saved = { chartingUsername: handle };
    const { status } = await member.client.attempt(setChartingUsername, { body: saved });
    // Refused while the platform knows nobody.
    expect(status, 200, 401, 422, 429);
    if (status === 200) for (const one of wishes) if (one.wanted) one.handle = handle;
  },
  approve: async ({ actor, own, scanner, handle }) => {
    actor.requests[scanner] ??= await request(actor, scanner, handle);
    const id = actor.requests[scanner];
    if (!id) return;
    const { data } = await admin.call(decideAccessRequest, {
      params: { id },
      body: { status: 'approved' },
    });
    wish(own, data.chartingId as string, 'marketplace');
  },
  withdraw: async ({ actor, own, scanner }) => {
    const id = actor.requests[scanner];
    if (!id) return;
    expect(
      (await admin.call(decideAccessRequest, { params: { id }, body: { status: 'denied' } })).status,
      200,
    );
    if (own.isOfRequest) end(own);
  },
  retry: async ({ actor, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    const retry = (accessId: string) => admin.attempt(retryIndicatorAccess, { params: { id, accessId } });
    if (row?.status === 'failed') expect((await retry(row.id)).status, 200, 409);
  },
  resolve: async ({ actor, id, scanner }) => {
    const row = await rowOf(actor, scanner);
    if (row?.status !== 'failed' || row.failedAction !== 'grant') return;
    byHand.add(keyOf(scanner, row.handle));
    await tools.admit(String(scanners[scanner]?.pineId), row.handle);
    const params = { id, accessId: row.id };
    expect((await admin.attempt(resolveIndicatorAccess, { params, body: {} })).status, 200, 409);
  },
  admit: async ({ actor, scanner }) => {
    if (actor.reserved === undefined) return;
    await admit(scanner, actor.reserved);
    actor.handles.push(actor.reserved);
    actor.reserved = undefined;
  },
  compare: async () => expect((await admin.call(compareIndicatorAccess)).status, 200),
  pass: async () => undefined,
};

function act(actor: Actor, { kind, scanner, handle: place }: Command): Promise<void> {
  const handle = actor.handles[place % actor.handles.length] as string;
  const id = String(scanners[scanner]?.id);
  return DO[kind]({ actor, scanner, handle, own: actor.wishes[scanner] as Wish, id });
}

async function request({ member }: Actor, scanner: number, chartingId: string): Promise<string | undefined> {
  const productId = String(products[scanner]?.id);
  const body = { productId, fullName: 'A', email: member.email, chartingId };
  const { status, data } = await member.client.attempt(submitAccessRequest, { body });
  expect(status, 201, 401);
  return data?.id;
}

async function newActor(number: number): Promise<Actor> {
  const member = await tools.newCustomer(admin);
  const own = (name: string) => `${name}_${number}_${member.id.slice(-6)}`;
  // The last one is also another member's.
  const handles = [own('first'), own('Second'), `shared_${number >> 1}_${Date.now() >> 12}`] as const;
  await admit(number % 2, handles[1]);
  if (number % 4 === 0) await admit(0, handles[2]);
  return {
    member,
    handles: [...handles],
    reserved: own('reserved'),
    wishes: scanners.map(noWish),
    requests: [undefined, undefined],
  };
}

/**
 * Leases end by the clock that a test advances, late calls take effect by the machine's. So that no lease ends before
 * its call can no longer take effect, calls only fail from here on, and those with an unknown outcome are waited for.
 */
async function passTime(): Promise<void> {
  await tools.tell('fail');
  const calls = 'select count(*) from indicators.access where leased_until > $1';
  await until(async () => (await database.count(calls, [clock.date()])) === 0, 'the end of all leases');
  clock.advance(GRACE_MS / 2 + 60_000);
  admin = await platform.signInAdmin();
}

/** The charting platform behaves again: what failed is retried until everything rests. */
async function heal(): Promise<void> {
  await tools.tell('ok');
  await until(async () => {
    const failed = await database.all<{
      id: string;
      indicatorId: string;
      handle: string;
      errorKind: string | null;
    }>(`select id, indicator_id, handle, error_kind from indicators.access where status = 'failed'`);
    for (const { id: accessId, indicatorId: id, handle, errorKind } of failed) {
      // What a person gave, a person takes away, and gives under the new handle.
      const isByHand = errorKind === 'by-hand';
      if (isByHand)
        byHand.add(
          keyOf(
            scanners.findIndex((one) => one.id === id),
            handle,
          ),
        );
      const params = { id, accessId };
      if (isByHand) await admin.attempt(resolveIndicatorAccess, { params, body: {} });
      else await admin.attempt(retryIndicatorAccess, { params });
    }
    await platform.platform.runJob('indicators.carry-out');
    return (
      (await database.count(
        `select count(*) from indicators.access where status in ('pending_grant', 'failed')
           or (status = 'pending_revoke' and (not is_wanted or grace_ends_at <= $1)) or leased_until > $1`,
        [clock.date()],
      )) === 0
    );
  }, 'the rest');
}

async function judge(actors: Actor[]): Promise<void> {
  for (const actor of actors) {
    for (const [place, wished] of actor.wishes.entries()) {
      pass(wished);
      const row = await rowOf(actor, place);
      const history =
        row &&
        (await database.all('select * from indicators.move where access_id = $1 order by id', [row.id]));
      assert.equal(
        row?.status ?? 'revoked',
        expectedStatus(wished),
        JSON.stringify({ wished, row, history }),
      );
    }
  }
  for (const [place, { pineId }] of scanners.entries()) {
    const held = (await tools.holders(pineId)).map((name) => keyOf(place, name));
    const removed = [...admitted].filter((key) => key.startsWith(`${place} `) && !held.includes(key));
    assert.deepEqual(removed, [], 'whom the owner admitted by hand stays');
    const ofActors = actors.flatMap(({ handles }) => handles.map((handle) => keyOf(place, handle)));
    const wanted = actors.flatMap(({ wishes }) =>
      wishes[place]?.wanted ? [keyOf(place, wishes[place].handle)] : [],
    );
    const isCertain = (key: string) => !byHand.has(key) && !admitted.has(key);
    assert.deepEqual(
      held.filter((key) => ofActors.includes(key) && isCertain(key)).sort(),
      [...new Set(wanted)].filter(isCertain).sort(),
    );
  }
  const wrong = await database.all(
    `select indicator_id, status, sum(count) from
       (select indicator_id, status, count from indicators.tally
        union all select indicator_id, status, -count(*) from indicators.access group by 1, 2) as counted
     group by 1, 2 having sum(count) <> 0`,
  );
  assert.deepEqual(wrong, [], 'the counters are exact');
}

const { MODEL_SEED, MODEL_PATH } = process.env;
/** Repeats one history: the seed and path that a failure prints. */
const REPLAYED = {
  ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
  ...(MODEL_PATH && { path: MODEL_PATH }),
};

const command: fc.Arbitrary<Command> = fc.record({
  member: fc.nat(MEMBERS - 1),
  kind: fc.constantFrom(...KINDS),
  scanner: fc.nat(scanners.length - 1),
  handle: fc.nat(2),
});
const round = fc.record({
  mode: fc.constantFrom(...MODES),
  commands: fc.array(command, { minLength: 8, maxLength: 24 }),
  timePasses: fc.boolean(),
});

test('after any faults the charting platform ends with the wanted state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 5 }), async (rounds) => {
      const actors = await inLanes(MEMBERS, 4, newActor);
      for (const { mode, commands, timePasses } of rounds) {
        await tools.tell(mode, { lateMs: 700 });
        const byMember = Map.groupBy(commands, ({ member }) => member);
        await Promise.all(
          [...byMember].map(async ([member, own]) => {
            for (const one of own) await act(actors[member] as Actor, one);
          }),
        );
        if (timePasses) await passTime();
      }
      await heal();
      await judge(actors);
      await tools.tell('ok');
      const ended = actors.map(({ member: { customerId } }) =>
        tools.access({ customerId, action: 'revoke' }),
      );
      await Promise.all(ended);
      await heal();
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 2), endOnFailure: true, ...REPLAYED },
  );
  const deadlocks = await database.count(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  assert.equal(deadlocks, 0);
});
