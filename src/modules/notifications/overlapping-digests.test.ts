import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notificationTools, QUIET } from '../../../test/support/notifications.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { Postponed } from '../../kernel/messaging/jobs.ts';
import { HOUR_MS, manualClock } from '../../kernel/time/time.ts';
import { deliveryStore } from './deliveries.store.ts';
import { type ChannelSender, delivering } from './delivering.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { database } = platform;
const { send, newMember, deliveriesOf } = notificationTools(platform);

/** A process that sends digests by mail with `sender`, and reads preferences with `of`, before and after its claim. */
function digesting(sender: ChannelSender, clock = manualClock(Date.now()), of = async () => null) {
  const { jobs } = delivering({
    store: deliveryStore(database),
    preferences: { of } as never,
    senders: { email: sender },
    database,
    jobs: { enqueue: async () => undefined },
    clock,
  });
  const { run } = jobs.find(({ kind }) => kind.name === 'notifications.digest-email') ?? {};
  assert.ok(run);
  return (data: object) => run(data, { signal: new AbortController().signal, attempt: 1 });
}

const sendForDigest = async ({ id: userId }: Member, title: string) =>
  (await send({ ...QUIET, userId, type: 'achievement', channels: ['email'], title })).data.notification.id;
const statusesOf = async (member: Member) =>
  (await deliveriesOf(member)).filter(({ kind }) => kind === 'notification').map(({ status }) => status);

/** A sender that always succeeds, and the ids of what it has sent. */
function noting() {
  const sent: string[] = [];
  const sender: ChannelSender = async ({ id }) => {
    sent.push(id);
    return { status: 'sent' };
  };
  return { sent, sender };
}

test('of overlapping digests of a member one is sent, and the others wait until it is through', async () => {
  const ada = await newMember();
  await sendForDigest(ada, 'First');
  const upTo = await sendForDigest(ada, 'Second');
  const [sending, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent: string[] = [];
  const sender: ChannelSender = async ({ id }) => {
    sent.push(id);
    sending.resolve();
    if (sent.length === 1) await answer.promise;
    return { status: 'sent' };
  };
  const [one, other] = [digesting(sender), digesting(sender)];
  const first = one({ userId: ada.id, upTo });
  await sending.promise;
  await assert.rejects(other({ userId: ada.id, upTo }), Postponed);
  // That of the next hour, while this one is still on its way.
  const later = await sendForDigest(ada, 'Third');
  await assert.rejects(other({ userId: ada.id, upTo: later }), Postponed);
  answer.resolve();
  await first;
  await other({ userId: ada.id, upTo });
  assert.deepEqual(sent, [`digest-${ada.id}-${upTo}`]);
  await other({ userId: ada.id, upTo: later });
  assert.deepEqual(sent, [`digest-${ada.id}-${upTo}`, `digest-${ada.id}-${later}`]);
  assert.deepEqual(await statusesOf(ada), ['sent', 'sent', 'sent']);
});

test('digests that begin at the same moment are sent once', async () => {
  const ada = await newMember();
  const upTo = await sendForDigest(ada, 'Only');
  const { sent, sender } = noting();
  const runs = Array.from({ length: 8 }, () => digesting(sender)({ userId: ada.id, upTo }));
  for (const outcome of await Promise.allSettled(runs))
    assert.ok(outcome.status === 'fulfilled' || outcome.reason instanceof Postponed);
  assert.deepEqual(sent, [`digest-${ada.id}-${upTo}`]);
});

test('a digest that failed can be sent at once, and one whose process ended an hour later', async () => {
  const ada = await newMember();
  const upTo = await sendForDigest(ada, 'Only');
  const fails = digesting(() => Promise.reject(new Error('the mail server is down')));
  await assert.rejects(fails({ userId: ada.id, upTo }), /mail server/);
  const begun = Promise.withResolvers<void>();
  const ends = digesting(() => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  void ends({ userId: ada.id, upTo });
  await begun.promise;
  const clock = manualClock(Date.now());
  const sent: string[] = [];
  const again = digesting(async ({ id }) => {
    sent.push(id);
    return { status: 'sent' };
  }, clock);
  await assert.rejects(again({ userId: ada.id, upTo }), Postponed);
  clock.advance(HOUR_MS);
  await again({ userId: ada.id, upTo });
  assert.deepEqual([sent.length, await statusesOf(ada)], [1, ['sent']]);
});

test('a run that was held up for longer than its claim leaves what it claimed to the run that went on', async () => {
  const ada = await newMember();
  const upTo = await sendForDigest(ada, 'Only');
  const { sent, sender } = noting();
  const [claimed, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let readings = 0;
  const clock = manualClock(Date.now());
  const heldUp = digesting(sender, clock, async () => {
    if (++readings < 2) return null;
    claimed.resolve();
    await goesOn.promise;
    return null;
  });
  const first = heldUp({ userId: ada.id, upTo });
  await claimed.promise;
  clock.advance(HOUR_MS);
  const later = await sendForDigest(ada, 'Of the next hour');
  await digesting(sender, clock)({ userId: ada.id, upTo: later });
  goesOn.resolve();
  await assert.rejects(first, Postponed);
  assert.deepEqual(sent, [`digest-${ada.id}-${later}`]);
  await heldUp({ userId: ada.id, upTo });
  assert.deepEqual([sent.length, await statusesOf(ada)], [1, ['sent', 'sent']]);
});
