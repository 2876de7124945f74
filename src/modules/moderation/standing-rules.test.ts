import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { MINUTE_MS, manualClock } from '../../kernel/time/time.ts';
import { blockRules } from './blocks.ts';
import type { BlockPair } from './contract.ts';
import { muteRules } from './mutes.ts';

// Who is blocked or muted, under which locks, and who is notified, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const callerOf = (userId: string, ...permissions: string[]) =>
  ({ kind: 'user', userId, permissions }) as unknown as UserCaller;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ status, code, message }: Failure) => (code === 'NOT_FOUND' ? message : `${status} ${code}`),
  );

interface Blocks {
  blocks?: BlockPair[];
  isNew?: boolean;
  count?: number;
  isUnknown?: boolean;
}
function blocking(state: Blocks = {}) {
  const done: unknown[][] = [];
  const tx = { lock: async (...what: string[]) => void done.push(['lock', ...what]) };
  const rules = blockRules({
    store: {
      among: async (pairs: BlockPair[], queries?: unknown) => {
        done.push([queries ? 'read in a transaction' : 'read', ...pairs.map(Object.values).map(String)]);
        return (state.blocks ?? []).filter((block) =>
          pairs.some((pair) => pair.blockerId === block.blockerId && pair.blockedId === block.blockedId),
        );
      },
      insert: async (_tx: unknown, ...pair: string[]) => {
        done.push(['insert', ...pair.slice(0, 2)]);
        return state.isNew !== false;
      },
      count: async () => state.count ?? 1,
      delete: async (...pair: string[]) => done.push(['delete', ...pair]),
      pageOf: async () => ({ items: [{ userId: 'ben' }], total: 1 }),
      blockersOf: async (_tx: unknown, userId: string, limit: number) => [userId, limit],
    } as never,
    identity: {
      contactsOf: async () => (state.isUnknown ? [] : [{}]),
      profilesOf: async () => [],
    } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work(tx) } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
        done.push(['publish', name, data]),
    } as never,
    clock: { date: () => AT } as never,
  });
  return { rules, done, tx: tx as never };
}
const ADA_BEN = { blockerId: 'ada', blockedId: 'ben' };

test('a block is written under the locks of its member and of the pair, and announced if it is new', async () => {
  const { rules, done } = blocking();
  await rules.block('ben', callerOf('ada'));
  const locked = [
    ['lock', 'moderation.blocks', 'ada'],
    ['lock', 'moderation.pair', 'adaben'],
    ['insert', 'ada', 'ben'],
  ];
  assert.deepEqual(done, [...locked, ['publish', 'moderation.member-blocked', ADA_BEN]]);
  const again = blocking({ isNew: false, count: 5_001 });
  await again.rules.block('ben', callerOf('ada'));
  assert.deepEqual(again.done, locked);
  const many = blocking({ count: 5_000 });
  assert.equal(await codeOf(many.rules.block('ben', callerOf('ada'))), undefined);
  const tooMany = blocking({ count: 5_001 });
  assert.equal(await codeOf(tooMany.rules.block('ben', callerOf('ada'))), '409 TOO_MANY_BLOCKED');
  assert.deepEqual(tooMany.done, locked);
  const oneself = blocking();
  assert.equal(await codeOf(oneself.rules.block('ada', callerOf('ada'))), '400 BLOCK_ONESELF');
  assert.deepEqual(oneself.done, []);
  await rules.unblock('ben', callerOf('ada'));
  assert.deepEqual(done.at(-1), ['delete', 'ada', 'ben']);
});

test('who is blocked may not approach, on their side alone, in a transaction or together with others', async () => {
  const { rules, done, tx } = blocking({ blocks: [ADA_BEN] });
  assert.equal(await codeOf(rules.mayApproach('ada', 'ben', tx)), '403 BLOCKED');
  assert.equal(await codeOf(rules.mayApproach('ben', 'ada', tx)), undefined);
  assert.deepEqual(
    done.map(([what]) => what),
    ['read in a transaction', 'read in a transaction'],
  );
  done.length = 0;
  const both = [
    rules.mayApproach('ada', 'ben'),
    rules.mayApproach('ben', 'ada'),
    rules.mayApproach('ada', 'cat'),
  ];
  assert.deepEqual(await Promise.all(both.map(codeOf)), ['403 BLOCKED', undefined, undefined]);
  assert.ok(done.every(([what]) => what === 'read'));
});

test('who approaches several members takes the lock of each pair, in one order, and not their own', async () => {
  const { rules, done, tx } = blocking({ blocks: [ADA_BEN] });
  assert.equal(await codeOf(rules.mayApproachIn(tx, ['cat', 'ben', 'ada', 'cat'], 'ben')), '403 BLOCKED');
  assert.deepEqual(done, [
    ['lock', 'moderation.pair', 'adaben'],
    ['lock', 'moderation.pair', 'catben'],
    ['read in a transaction', 'ada,ben', 'cat,ben'],
  ]);
  done.length = 0;
  assert.equal(await codeOf(rules.mayApproachIn(tx, ['cat'], 'ben')), undefined);
  done.length = 0;
  assert.equal(await codeOf(rules.mayApproachIn(tx, ['ben'], 'ben')), undefined);
  assert.deepEqual(done, []);
});

test('blocks are listed with their members, and only who exists is blocked', async () => {
  const { rules, tx } = blocking();
  const page = await rules.pageOf({ page: 1, limit: 9 }, callerOf('ada'));
  assert.deepEqual(
    page.items.map(({ userId, user }) => [userId, Boolean(user)]),
    [['ben', true]],
  );
  assert.deepEqual((await rules.blockersOf('ben', tx))[0], 'ben');
  assert.equal(await codeOf(rules.mustExist('ben')), undefined);
  const nobody = blocking({ isUnknown: true });
  assert.equal(await codeOf(nobody.rules.mustExist('ben')), 'User not found');
});

interface Mutes {
  permissions?: string[] | undefined;
  before?: Date | null;
  muted?: string[];
}
function muting(state: Mutes = {}) {
  const done: unknown[][] = [];
  const rules = muteRules({
    store: {
      among: async (userIds: string[]) =>
        new Map((state.muted ?? []).filter((id) => userIds.includes(id)).map((id) => [id, AT])),
      set: async (
        _tx: unknown,
        userId: string,
        { mutedUntil, by }: { mutedUntil: Date | null; by: string },
      ) => {
        done.push(['set', userId, mutedUntil, by]);
      },
      lock: async () => state.before && { mutedUntil: state.before, mutedBy: 'ada', mutedAt: AT },
    } as never,
    identity: { permissionsOf: async () => ('permissions' in state ? state.permissions : []) } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
        done.push(['publish', name, data]),
    } as never,
    audit: {
      record: async (_tx: unknown, { action, target, changes, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, changes, details]),
    } as never,
    live: {
      send: async (channel: string, [{ data }]: [{ data: object }]) => done.push(['tell', channel, data]),
    } as never,
    clock: manualClock(AT.getTime()),
  });
  return { rules, done };
}
const EVE = { actor: 'eve', reason: 'Spam' };
const UNTIL = new Date(AT.getTime() + 5 * MINUTE_MS);
const SOON = new Date(AT.getTime() + MINUTE_MS);

test('a mute is written, recorded with what it was before, announced and told to its member', async () => {
  const { rules, done } = muting({ before: SOON });
  assert.deepEqual(await rules.mute('ben', { minutes: 5 }, EVE), { userId: 'ben', mutedUntil: UNTIL });
  const data = { userId: 'ben', mutedUntil: UNTIL, reason: 'Spam' };
  assert.deepEqual(done, [
    ['set', 'ben', UNTIL, 'eve'],
    ['audit', 'user.muted', 'ben', { mutedUntil: [SOON, UNTIL] }, {}],
    ['publish', 'moderation.member-muted', { userId: 'ben', by: 'eve', deletesMessages: false }],
    ['tell', liveChannel.user('ben'), data],
  ]);
  const deleting = muting();
  await deleting.rules.mute('ben', { minutes: 5, deleteMessages: true }, { actor: 'eve' });
  assert.deepEqual(deleting.done[1]?.[4], { deletesMessages: true });
  assert.equal((deleting.done[2]?.[2] as { deletesMessages: boolean }).deletesMessages, true);
  assert.equal((deleting.done[3]?.[2] as { reason: null }).reason, null);
});

test('the end of a mute is recorded and told, but not announced', async () => {
  const { rules, done } = muting({ before: UNTIL });
  const ended = { userId: 'ben', mutedUntil: null, wasMutedUntil: UNTIL };
  assert.deepEqual(await rules.unmute('ben', EVE), ended);
  assert.deepEqual(
    done.map(([what, action]) => [what, action]),
    [
      ['set', 'ben'],
      ['audit', 'user.unmuted'],
      ['tell', liveChannel.user('ben')],
    ],
  );
});

test('a mute that is over counts as none', async () => {
  const { rules, done } = muting({ before: AT });
  await rules.mute('ben', { minutes: 5, expectedMutedUntil: null }, EVE);
  assert.deepEqual(done[1]?.[3], { mutedUntil: [null, UNTIL] });
});

test('administrators and moderators are not muted, but a mute of theirs is ended', async () => {
  for (const permission of ['admin', 'moderator']) {
    const { rules, done } = muting({ permissions: ['educator', permission] });
    assert.equal(await codeOf(rules.mute('ben', { minutes: 5 }, EVE)), '409 STAFF_NOT_MUTED');
    assert.deepEqual(done, []);
    assert.equal(await codeOf(rules.unmute('ben', EVE)), undefined);
  }
  assert.equal(
    await codeOf(muting({ permissions: ['educator'] }).rules.mute('ben', { minutes: 5 }, EVE)),
    undefined,
  );
  const gone = muting({ permissions: undefined });
  assert.equal(await codeOf(gone.rules.mute('ben', { minutes: 5 }, EVE)), 'User not found');
  assert.deepEqual(gone.done, []);
});

test('who is muted may not speak, unless they moderate', async () => {
  const { rules } = muting({ muted: ['ben'] });
  assert.equal(await codeOf(rules.maySpeak(callerOf('ben'))), '403 MUTED');
  assert.equal(await codeOf(rules.maySpeak(callerOf('ada'))), undefined);
  for (const permission of ['moderator', 'admin'])
    assert.equal(await codeOf(rules.maySpeak(callerOf('ben', permission))), undefined);
  assert.deepEqual([...(await rules.mutedAmong(['ada', 'ben'])).keys()], ['ben']);
});
