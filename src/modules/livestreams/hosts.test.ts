import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  cancelLivestream,
  createLivestream,
  getLivestream,
  listLivestreams,
  listLivestreamsOnAir,
  listScheduledLiveStreams,
  replacePermissions,
  startLivestream,
  updateLivestream,
  updateUser,
} from '../../../sdk/src/index.ts';
import { inLanes } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { notEducator } from '../identity/contract.ts';
import { tooManyLivestreams } from './livestreams.ts';
import { livestreamNotFound } from './viewing.ts';

// What becomes of the livestreams of hosts who lose the permission or are deactivated, and come back.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client, database } = platform;
const ben = await platform.newMember();

const at = (minutes: number): string => new Date(platform.clock.now() + minutes * 60_000).toISOString();
const schedule = async ({ client }: Pick<Member, 'client'>, more: object = {}) => {
  const body = { title: 'Gold at noon', scheduledStart: at(-5), scheduledEnd: at(55), ...more };
  return (await client.call(createLivestream, { body })).data.id;
};
const start = (by: Pick<Member, 'client'>, livestreamId: string) =>
  by.client.attempt(startLivestream, { params: { livestreamId } });
const get = (by: Pick<Member, 'client'>, livestreamId: string) =>
  by.client.attempt(getLivestream, { params: { livestreamId } });

/** The livestreams of a host that others are shown: on air, within their time, and in the list by host. */
async function shownOf({ id: hostId }: Member): Promise<[string[], string[], string[]]> {
  const idsOf = (streams: { id: string; hostId: string }[]) =>
    streams
      .filter((one) => one.hostId === hostId)
      .map(({ id }) => id)
      .sort();
  return [
    idsOf((await client.call(listLivestreamsOnAir)).data),
    idsOf((await client.call(listScheduledLiveStreams)).data),
    idsOf((await ben.client.call(listLivestreams, { query: { hostId } })).data),
  ];
}

const setPermissions = ({ id }: Member, permissions: string[]) =>
  admin.call(replacePermissions, { params: { userId: id }, body: { permissions } });
const setActive = ({ id }: Member, isActive: boolean) =>
  admin.call(updateUser, { params: { userId: id }, body: { isActive } });

const DEPARTURES = {
  'loses the permission': {
    leave: (host: Member) => setPermissions(host, []),
    comeBack: (host: Member) => setPermissions(host, ['educator']),
  },
  'is deactivated': {
    leave: (host: Member) => setActive(host, false),
    comeBack: (host: Member) => setActive(host, true),
  },
};

for (const [what, { leave, comeBack }] of Object.entries(DEPARTURES))
  test(`livestreams of a host who ${what} end or are hidden, and the planned ones come back with the host`, async () => {
    const host = await newEducator(platform);
    const [onAir, planned] = [await schedule(host), await schedule(host)];
    await start(host, onAir);
    const both = [onAir, planned].sort();
    assert.deepEqual(await shownOf(host), [[onAir], both, both]);
    await leave(host);
    assert.deepEqual(await shownOf(host), [[], [], []]);
    for (const id of both) assertRefused(await get(ben, id), livestreamNotFound);
    const { data: ended } = await get({ client: admin }, onAir);
    assert.equal(ended?.status, 'ended');
    assert.notEqual(ended?.endedAt, null);
    const { data: all } = await admin.call(listLivestreams, { query: { hostId: host.id } });
    assert.deepEqual(all.map(({ id }) => id).sort(), both, 'moderators see them');
    assertRefused(await start({ client: admin }, planned), notEducator);
    await comeBack(host);
    assert.deepEqual(await shownOf(host), [[], [planned], both]);
    assert.equal((await start({ client: admin }, planned)).status, 200);
  });

test('former educators see their own livestreams, and nobody schedules or passes one on to them', async () => {
  const [host, former] = [await newEducator(platform), await newEducator(platform)];
  const planned = await schedule(former);
  await setPermissions(former, []);
  assert.equal((await get(former, planned)).status, 200);
  const { data: own } = await former.client.call(listLivestreams, { query: { hostId: former.id } });
  assert.deepEqual(
    own.map(({ id }) => id),
    [planned],
  );
  const passOn = (hostId: string, livestreamId: string) =>
    admin.attempt(updateLivestream, { params: { livestreamId }, body: { hostId } });
  assertRefused(await passOn(former.id, await schedule(host)), notEducator);
  assert.equal((await passOn(host.id, planned)).status, 200);
  assert.deepEqual((await shownOf(host))[1].includes(planned), true, 'passed on to one who teaches');
  await setActive(host, false);
  const body = { title: 'x', hostId: host.id, scheduledStart: at(1), scheduledEnd: at(2) };
  assertRefused(await admin.attempt(createLivestream, { body }), notEducator);
});

test('no livestream stays live or listed that is scheduled, passed on or started while its host leaves', async () => {
  await inLanes(6, 2, async () => {
    const [host, other] = [await newEducator(platform), await newEducator(platform)];
    const [planned, passed] = [await schedule(host), await schedule(other)];
    await Promise.all([
      start(host, planned),
      start({ client: admin }, planned),
      admin.attempt(createLivestream, {
        body: { title: 'x', hostId: host.id, scheduledStart: at(-5), scheduledEnd: at(5) },
      }),
      admin.attempt(updateLivestream, { params: { livestreamId: passed }, body: { hostId: host.id } }),
      setPermissions(host, []),
    ]);
    assert.deepEqual(await shownOf(host), [[], [], []]);
  });
});

test('hosts who left before the rule, or by a manual change, are found by the nightly repair', async () => {
  const [gone, back] = [await newEducator(platform), await newEducator(platform)];
  const [onAir, planned] = [await schedule(gone), await schedule(back)];
  await start(gone, onAir);
  await database.execute("update identity.user set permissions = '{}' where id = $1", [gone.id]);
  await database.execute('update livestreams.livestream set host_teaches = false where id = $1', [planned]);
  await platform.platform.runJob('livestreams.record-hosts');
  assert.deepEqual(await shownOf(gone), [[], [], []]);
  assert.deepEqual((await shownOf(back))[1], [planned]);
});

test('a change of a name hides nothing, and an administrator may be a host', async () => {
  const host = await newEducator(platform);
  const planned = await schedule(host);
  await admin.call(updateUser, { params: { userId: host.id }, body: { firstName: 'Other' } });
  await admin.call(assignPermissions, { params: { userId: host.id }, body: { permissions: ['admin'] } });
  await setPermissions(host, ['admin']);
  assert.deepEqual((await shownOf(host))[1], [planned]);
  const { data } = await get(ben, planned);
  assert.ok(data && !('hostTeaches' in data), 'the recorded right is internal');
});

test('a host has at most five hundred livestreams to come, also with two requests at once, and more once one is cancelled', async () => {
  const host = await newEducator(platform);
  const first = await schedule(host);
  await database.execute(
    `insert into livestreams.livestream (id, title, description, host_id, status, scheduled_start, scheduled_end, created_at, updated_at)
     select 'd' || lpad(to_hex(n), 23, '0'), title, description, host_id, 'scheduled', scheduled_start, scheduled_end, created_at, updated_at
     from livestreams.livestream, generate_series(1, 498) n where id = $1`,
    [first],
  );
  const body = { title: 'One more', scheduledStart: at(5), scheduledEnd: at(65) };
  const tryTo = () => host.client.attempt(createLivestream, { body });
  const both = await Promise.all([tryTo(), tryTo()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  assertRefused(await tryTo(), tooManyLivestreams);
  await host.client.call(cancelLivestream, { params: { livestreamId: first } });
  assert.equal((await tryTo()).status, 201);
});
