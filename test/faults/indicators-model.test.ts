import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveIndicatorAccess, retryIndicatorAccess } from '../../sdk/src/index.ts';
import { inLanes } from '../support/client.ts';
import { until } from '../support/live.ts';
import { expectedStatus } from '../support/wishes.ts';
import {
  type Actor,
  act,
  admin,
  admitted,
  byHand,
  type Command,
  endGrace,
  GRACE_MS,
  KINDS,
  keyOf,
  MEMBERS,
  newActor,
  platform,
  rowOf,
  scanners,
  signInAgain,
  tools,
} from './indicators-commands.ts';

// Members, administrators and the backoffice act at random while the charting platform misbehaves at random. Once it
// works again and no work is pending, it must grant exactly the wanted access, and that which its owner granted by
// hand: such entries are never removed, even if members take their handles.

const { clock, database } = platform;
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

/**
 * Leases end by the clock that the test advances, but late calls take effect by the machine's. From here on calls only
 * fail, and those with an unknown outcome are waited for, so that no lease ends before its call has taken effect.
 */
async function passTime(): Promise<void> {
  await tools.tell('fail');
  const calls = 'select count(*) from indicators.access where leased_until > $1';
  await until(async () => (await database.count(calls, [clock.date()])) === 0, 'the end of all leases');
  clock.advance(GRACE_MS / 2 + 60_000);
  await signInAgain();
}

/** Makes the charting platform work again, and retries failed grants until none is pending. */
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
      // Entries made by hand are also removed by hand, and made again for the new handle.
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
      endGrace(wished);
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
    const holders = (await tools.holders(pineId)).map((name) => keyOf(place, name));
    const removed = [...admitted].filter((key) => key.startsWith(`${place} `) && !holders.includes(key));
    assert.deepEqual(removed, [], 'entries made by the owner that were removed');
    const ofActors = actors.flatMap(({ handles }) => handles.map((handle) => keyOf(place, handle)));
    const wanted = actors.flatMap(({ wishes }) =>
      wishes[place]?.wanted ? [keyOf(place, wishes[place].handle)] : [],
    );
    const isCertain = (key: string) => !byHand.has(key) && !admitted.has(key);
    assert.deepEqual(
      holders.filter((key) => ofActors.includes(key) && isCertain(key)).sort(),
      [...new Set(wanted)].filter(isCertain).sort(),
    );
  }
  const wrong = await database.all(
    `select indicator_id, status, sum(count) from
       (select indicator_id, status, count from indicators.tally
        union all select indicator_id, status, -count(*) from indicators.access group by 1, 2) as counted
     group by 1, 2 having sum(count) <> 0`,
  );
  assert.deepEqual(wrong, [], 'indicators with wrong counters');
}

const { MODEL_SEED, MODEL_PATH } = process.env;
/** The seed and path that a failure prints, to repeat its history. */
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
