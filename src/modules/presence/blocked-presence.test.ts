// Who has blocked somebody, and who is blocked, do not see one another come, go or be present.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createChatroom,
  joinChatroom,
  listChatroomMembers,
  unblockMember,
} from '../../../sdk/src/index.ts';
import { holding } from '../../../test/support/holding.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';
import { blockStore } from '../moderation/blocks.store.ts';
import { MAX_BLOCKERS } from '../moderation/contract.ts';
import { announcing } from './announcing.ts';
import { parting } from './parting.ts';
import { presenceStore } from './presence.store.ts';

const platform = await startPlatform();
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
const open = ({ accessToken }: Member) => LiveClient.open(platform.url, accessToken);
const block = (who: Member, whom: Member) => who.client.call(blockMember, { params: { userId: whom.id } });
const unblock = (who: Member, whom: Member) =>
  who.client.call(unblockMember, { params: { userId: whom.id } });

/** A public room of Eve's with all three as members: who blocks its owner, or is blocked by them, does not come in. */
async function newRoom(): Promise<string> {
  const body = { name: 'Gold', type: 'public' } as const;
  const { id: chatroomId } = (await eve.client.call(createChatroom, { body })).data;
  for (const one of [ada, ben]) await one.client.call(joinChatroom, { params: { chatroomId } });
  return chatroomId;
}
const statesOf = (client: LiveClient, { id }: Member): string[] =>
  client.all('user:online').flatMap(({ data }) => (data.userId === id ? [data.status] : []));
async function onlineFor({ client }: Member, chatroomId: string): Promise<string[]> {
  const { data } = await client.call(listChatroomMembers, { params: { chatroomId } });
  return data.flatMap(({ userId, online }) => (online ? [userId] : [])).toSorted();
}
const idsOf = (...members: Member[]) => members.map(({ id }) => id).toSorted();

test('neither side of a block sees the other among the present, in lists, on subscribing, coming and going, or typing', async () => {
  for (const [who, whom] of [
    [ada, ben],
    [ben, ada],
  ] as const) {
    const room = await newRoom();
    await block(who, whom);
    const [hers, others] = [await open(ada), await open(eve)];
    await hers.enter(room);
    await others.enter(room);
    const his = await open(ben);
    const { data } = await his.enter(room);
    assert.deepEqual([data.activeNow, data.online], [3, idsOf(ben, eve)]);
    await until(() => statesOf(others, ben).includes('online'), 'who is not parted from him sees him');
    assert.deepEqual(await onlineFor(ada, room), idsOf(ada, eve));
    assert.deepEqual(await onlineFor(ben, room), idsOf(ben, eve));
    assert.deepEqual(await onlineFor(eve, room), idsOf(ada, ben, eve));
    his.send({ type: 'chat:typing', chatroomId: room });
    await others.next(({ type }) => type === 'chat:typing');
    his.close();
    await until(() => statesOf(others, ben).includes('offline'), 'he went');
    await others.say(room, 'He went');
    await hers.next(({ type }) => type === 'chat:message');
    // The end of what both saw before the block may be told late.
    assert.ok(!statesOf(hers, ben).includes('online'));
    assert.deepEqual(hers.all('chat:typing'), []);
    hers.close();
    others.close();
    await unblock(who, whom);
  }
});

test('who blocks somebody beside them in a room sees them leave, as they do', async () => {
  const room = await newRoom();
  const [hers, his, others] = [await open(ada), await open(ben), await open(eve)];
  for (const one of [hers, others, his]) await one.enter(room);
  await until(() => statesOf(hers, ben).includes('online'), 'he came');
  await block(ada, ben);
  await until(() => statesOf(others, ada).at(-1) === 'online', 'she is there for others');
  await until(() => statesOf(others, ben).at(-1) === 'online', 'so is he');
  await until(() => statesOf(hers, ben).at(-1) === 'offline', 'he is gone for her');
  await until(() => statesOf(his, ada).at(-1) === 'offline', 'she is gone for him');
  for (const one of [hers, his, others]) one.close();
  await unblock(ada, ben);
});

test('who leaves a room between a block and its being told does not stay there for the blocker', async () => {
  const room = await newRoom();
  const [hers, his, others] = [await open(ada), await open(ben), await open(eve)];
  for (const one of [hers, others, his]) await one.enter(room);
  await until(() => statesOf(hers, ben).includes('online'), 'he came');
  // Without the event that tells the rooms, as if it came long after his departure.
  const store = blockStore(platform.database);
  const presence = presenceStore(platform.database, 'c'.repeat(24));
  await platform.database.transaction(async (tx) => {
    await store.insert(tx, ada.id, ben.id, new Date(platform.clock.now() - 60 * MINUTE_MS));
    await presence.noteBlock(tx, ada.id, ben.id);
  });
  his.close();
  await until(() => statesOf(hers, ben).at(-1) === 'offline', 'he is gone for her');
  await presence.blockTold(ben.id, ada.id);
  for (const one of [hers, others]) one.close();
  await unblock(ada, ben);
});

test('an arrival that is told after a block that began meanwhile is taken back', async () => {
  const told: string[] = [];
  let isBlocked = false;
  const { announce } = announcing({
    store: { blocksToTell: async () => new Map() },
    identity: { profilesOf: async () => [] },
    moderation: {
      partedFromEach: async () => new Map(isBlocked ? [[ben.id, [ada.id]]] : []),
    },
    live: {
      send: async (_channel: unknown, messages: { data: { status: string } }[], except: string[] = []) => {
        // The block begins, and is told, while the message is on its way.
        isBlocked = true;
        if (!except.includes(ada.id)) told.push(...messages.map(({ data }) => data.status));
      },
    } as never,
  });
  await announce([{ roomId: eve.id, userId: ben.id }]);
  assert.deepEqual(told, ['online', 'offline'], 'she is told that he has gone');
});

test('who is parted from more members than can be left out is not announced as gone, whatever is still to tell', async () => {
  const others = Array.from({ length: MAX_BLOCKERS + 1 }, (_, place) => place.toString(16).padStart(24, '0'));
  const { hiddenOnLeaving } = announcing({
    store: { blocksToTell: async () => new Map([[ben.id, others.slice(0, 1)]]) },
    identity: { profilesOf: async () => [] },
    moderation: { partedFromEach: async () => new Map([[ben.id, others]]) },
    live: {} as never,
  });
  const hidden = await hiddenOnLeaving([{ roomId: eve.id, userId: ben.id }]);
  assert.equal(hidden.get(ben.id)?.length, MAX_BLOCKERS + 1);
});

test('a block is noted until the rooms have been told of it, and departures are hidden from then on', async () => {
  const { database } = platform;
  await database.execute('create table public.noted (user_id text)');
  await database.execute(`create function public.note() returns trigger language plpgsql as $$
    begin insert into public.noted values (new.user_id); return new; end $$`);
  await database.execute(`create trigger note after insert on presence.block_to_tell
    for each row execute function public.note()`);
  await block(ada, ben);
  const noted = await database.all<{ id: string }>('select user_id as id from public.noted');
  assert.deepEqual(noted.map(({ id }) => id).toSorted(), idsOf(ada, ben));
  const left = () => database.count('select count(*) from presence.block_to_tell');
  await until(async () => (await left()) === 0, 'the rooms have been told');
  await database.execute('drop trigger note on presence.block_to_tell');
  await database.execute('drop function public.note');
  await database.execute('drop table public.noted');
  const room = await newRoom();
  const [hers, his, others] = [await open(ada), await open(ben), await open(eve)];
  for (const one of [hers, others, his]) await one.enter(room);
  his.close();
  await until(() => statesOf(others, ben).at(-1) === 'offline', 'he went');
  await others.say(room, 'He went');
  await hers.next(({ type }) => type === 'chat:message');
  assert.deepEqual(statesOf(hers, ben), []);
  for (const one of [hers, others]) one.close();
  await unblock(ada, ben);
});

test('who is parted from more than can be left out is not listed, since nobody would be told that they went', async () => {
  const room = await newRoom();
  const [hers, others] = [await open(ada), await open(eve)];
  await hers.enter(room);
  await platform.database.execute(
    `insert into moderation.block (blocker_id, blocked_id, created_at)
     select lpad(to_hex(n), 24, '0'), $1, now() from generate_series(1, ${MAX_BLOCKERS + 1}) n`,
    [ada.id],
  );
  const { data } = await others.enter(room);
  assert.deepEqual([data.activeNow, data.online], [2, [eve.id]]);
  assert.deepEqual(await onlineFor(ada, room), idsOf(ada, eve), 'she sees herself');
  await platform.database.execute('delete from moderation.block where blocked_id = $1', [ada.id]);
  for (const one of [hers, others]) one.close();
});

test('who leaves a room while a block is told to it is not told to be back', async () => {
  const there = new Set([ada.id, ben.id]);
  const told: string[] = [];
  const tell = (status: string, all: { userId: string }[]) =>
    void told.push(...all.map(({ userId }) => `${userId} ${status}`));
  const part = parting({
    store: {
      sharedBy: async () => [eve.id],
      absentOf: async (all) => all.filter(({ userId }) => !there.has(userId)),
      blockTold: async () => undefined,
    },
    announced: async (all) => all,
    withdraw: async (all) => {
      there.delete(ben.id);
      tell('offline', [{ userId: ben.id }]);
      tell('online', all);
    },
    tellGone: async (all) => tell('offline', all),
  });
  await part(ada.id, ben.id);
  const lastOf = ({ id }: Member) => told.findLast((one) => one.startsWith(id));
  assert.deepEqual([lastOf(ada), lastOf(ben)], [`${ada.id} online`, `${ben.id} offline`]);
});

test('two who block each other at the same moment do not wait for one another', async () => {
  const { database } = await ownDatabase(5);
  const store = presenceStore(database, 'd'.repeat(24));
  const [one, other] = ['a'.repeat(24), 'b'.repeat(24)] as const;
  const waiting = () =>
    database.count(
      `select count(*) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into presence.block_to_tell%'`,
    );
  const round = async () => {
    const noting: Promise<void>[] = [];
    await holding(database, async (tx) => {
      await tx.insert('presence.block_to_tell', { userId: one, otherId: other });
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const)
        noting.push(database.transaction((another) => store.noteBlock(another, from, to)));
      await until(async () => (await waiting()) === 2, 'both at the lock');
      await tx.execute('delete from presence.block_to_tell');
    });
    await Promise.all(noting);
    await store.blockTold(one, other);
  };
  // Which of them goes on first is up to PostgreSQL.
  for (let rounds = 0; rounds < 10; rounds++) await round();
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()';
  assert.equal(await database.count(deadlocks), 0);
});
