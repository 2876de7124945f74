import assert from 'node:assert/strict';
import {
  banChatMember,
  deleteChatMessage,
  editChatMessage,
  joinChatroom,
  leaveChatroom,
  listChatMessages,
  sendChatMessage,
  unbanChatMember,
} from '../../../sdk/src/index.ts';
import type { Area, Doing } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// Every change of a room has a number of its own, without gaps, and a room shows what was said and not taken back.

export const chatKinds = {
  'chat.send': 10,
  'chat.send-twice': 3,
  'chat.edit': 3,
  'chat.delete': 3,
  'chat.join': 1,
  'chat.leave': 1,
  'chat.ban': 2,
  'chat.unban': 1,
};

interface Said {
  id: string;
  author: Actor;
  text: string;
  isDeleted: boolean;
}

interface Room {
  id: string;
  creator: Actor;
  said: Said[];
  /** Changes that are certain, and those of requests whose first answers were lost. */
  changes: { sure: number; perhaps: number };
  /** Whom a ban has been answered for, and nothing since that could have lifted it. */
  banned: Set<Actor>;
  /** Bans and their ends that are under way. */
  deciding: Set<Actor>;
}

export function chatArea(stage: Stage): Area<typeof chatKinds> {
  const { people, database, world } = stage;
  const rooms: Room[] = world.rooms.map((id, place) => ({
    id,
    creator: people.at(place - world.rooms.length) as Actor,
    said: [],
    changes: { sure: 0, perhaps: 0 },
    banned: new Set(),
    deciding: new Set(),
  }));
  const roomOf = ({ pick: [room] }: Doing): Room => rooms[room % rooms.length] as Room;

  async function send(doing: Doing, times: number): Promise<void> {
    const { actor } = doing;
    const room = roomOf(doing);
    const message = stage.unique();
    const params = { chatroomId: room.id };
    const body = { message, clientMessageId: message };
    const wasBanned = room.banned.has(actor) && !room.deciding.has(actor);
    const answers = await Promise.all(
      Array.from({ length: times }, () =>
        stage.insist(actor, (client) => client.attempt(sendChatMessage, { params, body })),
      ),
    );
    const sent = answers.filter((one) => one.data !== undefined);
    for (const { status } of answers)
      expectStatus(
        stage,
        `${actor.name} says ${message} in room ${world.rooms.indexOf(room.id)}`,
        { status },
        200,
        201,
        403,
        429,
      );
    if (wasBanned && !room.deciding.has(actor) && room.banned.has(actor) && sent.length > 0)
      throw new Violation(`${actor.name} is banned, and said ${message}`);
    const [first] = sent;
    if (!first?.data) return;
    if (new Set(sent.map(({ data }) => data?.id)).size > 1) throw new Violation(`${message} was sent twice`);
    room.changes.sure++;
    room.said.push({
      id: first.data.id,
      author: actor,
      text: message,
      isDeleted: false,
    });
  }

  /** Somebody's own message, that has not been deleted as far as is known. */
  const ownIn = ({ said }: Room, actor: Actor, pick: number): Said | undefined => {
    const own = said.filter(({ author, isDeleted }) => author === actor && !isDeleted);
    return own[pick % Math.max(own.length, 1)];
  };

  async function decide(doing: Doing, isBan: boolean): Promise<void> {
    const room = roomOf(doing);
    // Somebody other than who acts: what they do themselves meanwhile meets the ban.
    const actor = people[doing.pick[1] % people.length] as Actor;
    if (actor === room.creator || room.deciding.has(actor)) return;
    const params = { chatroomId: room.id, userId: actor.id };
    room.deciding.add(actor);
    const answer = await stage.insist(room.creator, (client) =>
      isBan
        ? client.attempt(banChatMember, { params, body: {} })
        : client.attempt(unbanChatMember, { params }),
    );
    expectStatus(stage, `${actor.name} is ${isBan ? 'banned' : 'unbanned'}`, answer, 200, 201, 404, 409);
    if (isBan && answer.status < 300) room.banned.add(actor);
    if (!isBan) room.banned.delete(actor);
    room.deciding.delete(actor);
  }

  return {
    commands: {
      'chat.send': (doing) => send(doing, 1),
      'chat.send-twice': (doing) => send(doing, 2),
      'chat.edit': async (doing) => {
        const { actor, pick } = doing;
        const room = roomOf(doing);
        const said = ownIn(room, actor, pick[1]);
        if (!said) return;
        const params = { chatroomId: room.id, messageId: said.id };
        const body = { message: stage.unique() };
        const answer = await stage.insist(actor, (client) =>
          client.attempt(editChatMessage, { params, body }),
        );
        expectStatus(
          stage,
          `${actor.name} edits ${said.text} to ${body.message}`,
          answer,
          200,
          403,
          404,
          429,
        );
        room.changes.perhaps += answer.uncertain;
        if (answer.status === 200) {
          room.changes.sure++;
          said.text = body.message;
        }
      },
      'chat.delete': async (doing) => {
        const { actor, pick } = doing;
        const room = roomOf(doing);
        const said = ownIn(room, actor, pick[1]);
        if (!said) return;
        const params = { chatroomId: room.id, messageId: said.id };
        const answer = await stage.insist(actor, (client) => client.attempt(deleteChatMessage, { params }));
        expectStatus(stage, `${actor.name} deletes ${said.text}`, answer, 200, 403, 404);
        if (answer.status === 404 && answer.uncertain === 0) throw new Violation(`${said.text} is not there`);
        if (answer.status === 403) return;
        said.isDeleted = true;
        room.changes.sure++;
      },
      'chat.join': async (doing) => {
        const params = { chatroomId: roomOf(doing).id };
        const answer = await stage.insist(doing.actor, (client) => client.attempt(joinChatroom, { params }));
        expectStatus(stage, `${doing.actor.name} joins`, answer, 200, 201, 403, 409);
      },
      'chat.leave': async (doing) => {
        const params = { chatroomId: roomOf(doing).id };
        const answer = await stage.insist(doing.actor, (client) => client.attempt(leaveChatroom, { params }));
        expectStatus(stage, `${doing.actor.name} leaves`, answer, 200, 400, 403, 404, 409);
      },
      'chat.ban': (doing) => decide(doing, true),
      'chat.unban': (doing) => decide(doing, false),
    },

    judge: async () => {
      for (const [place, { id, creator, said, changes, banned }] of rooms.entries()) {
        for (const actor of banned) {
          const message = stage.unique();
          const body = { message, clientMessageId: message };
          const answer = await stage.insist(actor, (client) =>
            client.attempt(sendChatMessage, { params: { chatroomId: id }, body }),
          );
          assert.equal(answer.body.error, 'BANNED', `${actor.name} is banned from room ${place}, and speaks`);
          const read = await stage.insist(actor, (client) =>
            client.attempt(listChatMessages, { params: { chatroomId: id } }),
          );
          assert.equal(read.body.error, 'BANNED', `${actor.name} is banned from room ${place}, and reads`);
        }
        const left = said.filter(({ isDeleted }) => !isDeleted);
        const shown: string[] = [];
        for (let page = 1; ; page++) {
          const { data, body } = await stage.insist(creator, (client) =>
            client.attempt(listChatMessages, { params: { chatroomId: id }, query: { page, limit: 100 } }),
          );
          shown.push(...(data ?? []).map(({ message }) => message));
          if ((data ?? []).length < 100) {
            assert.equal(body.pagination?.total, shown.length, `room ${place} counts what it shows`);
            break;
          }
        }
        assert.deepEqual(
          shown.toSorted(),
          left.map(({ text }) => text).sort(),
          `room ${place} shows what was said`,
        );
        const room = await database.first<{
          lastSeq: number;
          memberCount: number;
          members: number;
          seqs: number;
        }>(
          `select last_seq, member_count,
             (select count(*) from chat.member where room_id = room.id and is_member) as members,
             (select count(distinct seq) from chat.message where room_id = room.id) as seqs
           from chat.room where id = $1`,
          [id],
        );
        assert.ok(room);
        assert.equal(room.memberCount, room.members, `room ${place} counts its members`);
        assert.equal(room.seqs, said.length, 'each message has a number of its own');
        assert.ok(
          room.lastSeq >= changes.sure && room.lastSeq <= changes.sure + changes.perhaps,
          `room ${place} has ${room.lastSeq} numbers for ${changes.sure} changes, and perhaps ${changes.perhaps} more`,
        );
      }
    },
  };
}
