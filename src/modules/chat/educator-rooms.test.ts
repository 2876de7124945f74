import assert from 'node:assert/strict';
import { test } from 'node:test';
import { educatorRooms } from './educator-rooms.ts';

// The room of an educator, without a platform around the rules; educators/chatrooms/chatrooms.test.ts has one.

const AT = new Date('2026-03-01T12:00:00Z');

/** @param found the room of the educator, each time that it is looked for */
function ruling({ found = [], renamed }: { found?: (string | undefined)[]; renamed?: string }) {
  const done: string[] = [];
  const noting =
    (what: string, result?: unknown) =>
    async (..._values: unknown[]) => {
      done.push(what);
      return result;
    };
  const tx = { lock: noting('lock') } as never;
  const rules = educatorRooms({
    store: {
      ofEducator: async () => found.shift(),
      insert: async (_tx: unknown, room: { name: string; type: string }) => {
        done.push(`insert ${room.type} ${room.name}`);
      },
      claim: noting('claim'),
      renameOfEducator: noting('rename', renamed),
    } as never,
    members: { join: noting('join') } as never,
    telling: { tellAll: noting('tell') } as never,
    database: { transaction: async (work: (tx: never) => unknown) => work(tx) } as never,
    events: { publish: noting('publish') } as never,
    clock: { date: () => AT } as never,
    newId: () => 'r1',
  });
  return { rules, done, tx };
}
const nameOf = async () => 'Ada';

test('the room of an educator is created on first use, and taken from a request of the same moment', async () => {
  const first = ruling({ found: [undefined, undefined] });
  assert.equal(await first.rules.roomOfEducator('ada', nameOf), 'r1');
  assert.deepEqual(first.done, ['lock', 'insert public Ada', 'claim', 'join', 'publish']);
  const existing = ruling({ found: ['old'] });
  assert.deepEqual([await existing.rules.roomOfEducator('ada', nameOf), existing.done], ['old', []]);
  const meanwhile = ruling({ found: [undefined, 'old'] });
  assert.deepEqual([await meanwhile.rules.roomOfEducator('ada', nameOf), meanwhile.done], ['old', ['lock']]);
});

test('a room is renamed under the lock of its creation, and announced if it had the former name', async () => {
  const names = { from: 'Ada', to: 'Edna' };
  const had = ruling({ renamed: 'r1' });
  await had.rules.renameRoomOfEducator(had.tx, 'ada', names);
  assert.deepEqual(had.done, ['lock', 'rename', 'publish', 'tell']);
  const own = ruling({});
  await own.rules.renameRoomOfEducator(own.tx, 'ada', names);
  assert.deepEqual(own.done, ['lock', 'rename']);
});
