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
import type { Area, Execution } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// The changes of a room are numbered without gaps, and a room shows exactly the messages that were not deleted.

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

interface Message {
  id: string;
  author: Actor;
  text: string;
  isDeleted: boolean;
  /** Texts of edits whose responses were lost, and which were refused when they were repeated after a ban. */
  possibleTexts: Set<string>;
  /** The same of its deletion. */
  isPossiblyDeleted: boolean;
}

interface Room {
  id: string;
  creator: Actor;
  messages: Message[];
  /** Messages whose responses were lost, and which were refused when they were repeated after a ban. */
  possibleMessages: Map<string, Actor>;
  /** How many changes certainly took effect, and how many more may have, because responses were lost. */
  changes: { certain: number; possible: number };
  /** People whose ban was confirmed, and not lifted since. */
  banned: Set<Actor>;
  /** People for whom a request to ban or unban them is under way. */
  pendingBans: Set<Actor>;
}

export function chatArea(stage: Stage): Area<typeof chatKinds> {
  const { people, database, world } = stage;
  const rooms: Room[] = world.rooms.map((id, place) => ({
    id,
    creator: people.at(place - world.rooms.length) as Actor,
    messages: [],
    possibleMessages: new Map(),
    changes: { certain: 0, possible: 0 },
    banned: new Set(),
    pendingBans: new Set(),
  }));
  const roomOf = ({ pick: [room] }: Execution): Room => rooms[room % rooms.length] as Room;

  async function send(execution: Execution, times: number): Promise<void> {
    const { actor } = execution;
    const room = roomOf(execution);
    const message = stage.unique();
    const params = { chatroomId: room.id };
    const body = { message, clientMessageId: message };
    const wasBanned = room.banned.has(actor) && !room.pendingBans.has(actor);
    const answers = await Promise.all(
      Array.from({ length: times }, () =>
        stage.retryUntilCertain(actor, (client) => client.attempt(sendChatMessage, { params, body })),
      ),
    );
    const sent = answers.filter((one) => one.data !== undefined);
    for (const { status } of answers)
      expectStatus(
        stage,
        `${actor.name} sends ${message} to room ${world.rooms.indexOf(room.id)}`,
        { status },
        200,
        201,
        403,
        429,
      );
    if (wasBanned && !room.pendingBans.has(actor) && room.banned.has(actor) && sent.length > 0)
      throw new Violation(`${actor.name} sent ${message} although banned`);
    const [first] = sent;
    const uncertain = answers.reduce((sum, answer) => sum + answer.uncertain, 0);
    if (!first?.data && uncertain > 0) {
      room.possibleMessages.set(message, actor);
      room.changes.possible++;
    }
    if (!first?.data) return;
    if (new Set(sent.map(({ data }) => data?.id)).size > 1) throw new Violation(`${message} got two ids`);
    room.changes.certain++;
    room.messages.push({
      id: first.data.id,
      author: actor,
      text: message,
      isDeleted: false,
      possibleTexts: new Set(),
      isPossiblyDeleted: false,
    });
  }

  /** What of the possible came true, as the listed texts show. */
  function resolvePossible({ messages, possibleMessages }: Room, listed: string[]): void {
    for (const [text, author] of possibleMessages)
      if (listed.includes(text))
        messages.push({
          ...{ id: '', author, text, isDeleted: false },
          ...{ possibleTexts: new Set(), isPossiblyDeleted: false },
        });
    possibleMessages.clear();
    for (const message of messages) {
      message.text = [...message.possibleTexts].find((text) => listed.includes(text)) ?? message.text;
      if (message.isPossiblyDeleted && !listed.includes(message.text)) message.isDeleted = true;
    }
  }

  /** One of a person's messages that are not known to be deleted. */
  const ownMessage = ({ messages }: Room, actor: Actor, pick: number): Message | undefined => {
    const own = messages.filter(({ author, isDeleted }) => author === actor && !isDeleted);
    return own[pick % Math.max(own.length, 1)];
  };

  async function changeBan(execution: Execution, isBan: boolean): Promise<void> {
    const room = roomOf(execution);
    // Chosen among all people, not the actor, so that the banned person may be acting at the same time.
    const actor = people[execution.pick[1] % people.length] as Actor;
    if (actor === room.creator || room.pendingBans.has(actor)) return;
    const params = { chatroomId: room.id, userId: actor.id };
    room.pendingBans.add(actor);
    const answer = await stage.retryUntilCertain(room.creator, (client) =>
      isBan
        ? client.attempt(banChatMember, { params, body: {} })
        : client.attempt(unbanChatMember, { params }),
    );
    expectStatus(stage, `${actor.name} is ${isBan ? 'banned' : 'unbanned'}`, answer, 200, 201, 404, 409);
    if (isBan && answer.status < 300) room.banned.add(actor);
    if (!isBan) room.banned.delete(actor);
    room.pendingBans.delete(actor);
  }

  return {
    commands: {
      'chat.send': (execution) => send(execution, 1),
      'chat.send-twice': (execution) => send(execution, 2),
      'chat.edit': async (execution) => {
        const { actor, pick } = execution;
        const room = roomOf(execution);
        const message = ownMessage(room, actor, pick[1]);
        if (!message) return;
        const params = { chatroomId: room.id, messageId: message.id };
        const body = { message: stage.unique() };
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(editChatMessage, { params, body }),
        );
        expectStatus(
          stage,
          `${actor.name} edits ${message.text} to ${body.message}`,
          answer,
          200,
          403,
          404,
          429,
        );
        room.changes.possible += answer.uncertain;
        if (answer.status === 200) {
          room.changes.certain++;
          message.text = body.message;
        } else if (answer.uncertain > 0) message.possibleTexts.add(body.message);
      },
      'chat.delete': async (execution) => {
        const { actor, pick } = execution;
        const room = roomOf(execution);
        const message = ownMessage(room, actor, pick[1]);
        if (!message) return;
        const params = { chatroomId: room.id, messageId: message.id };
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(deleteChatMessage, { params }),
        );
        expectStatus(stage, `${actor.name} deletes ${message.text}`, answer, 200, 403, 404);
        if (answer.status === 404 && answer.uncertain === 0 && !message.isPossiblyDeleted)
          throw new Violation(`${message.text} was not found`);
        if (answer.status === 403) {
          if (answer.uncertain === 0) return;
          message.isPossiblyDeleted = true;
          room.changes.possible++;
          return;
        }
        message.isDeleted = true;
        room.changes.certain++;
      },
      'chat.join': async (execution) => {
        const params = { chatroomId: roomOf(execution).id };
        const answer = await stage.retryUntilCertain(execution.actor, (client) =>
          client.attempt(joinChatroom, { params }),
        );
        expectStatus(stage, `${execution.actor.name} joins`, answer, 200, 201, 403, 409);
      },
      'chat.leave': async (execution) => {
        const params = { chatroomId: roomOf(execution).id };
        const answer = await stage.retryUntilCertain(execution.actor, (client) =>
          client.attempt(leaveChatroom, { params }),
        );
        expectStatus(stage, `${execution.actor.name} leaves`, answer, 200, 400, 403, 404, 409);
      },
      'chat.ban': (execution) => changeBan(execution, true),
      'chat.unban': (execution) => changeBan(execution, false),
    },

    judge: async () => {
      for (const [place, room] of rooms.entries()) {
        const { id, creator, messages, changes, banned } = room;
        for (const actor of banned) {
          const message = stage.unique();
          const body = { message, clientMessageId: message };
          const answer = await stage.retryUntilCertain(actor, (client) =>
            client.attempt(sendChatMessage, { params: { chatroomId: id }, body }),
          );
          assert.equal(answer.body.error, 'BANNED', `${actor.name} sends to room ${place} although banned`);
          const read = await stage.retryUntilCertain(actor, (client) =>
            client.attempt(listChatMessages, { params: { chatroomId: id } }),
          );
          assert.equal(read.body.error, 'BANNED', `${actor.name} reads room ${place} although banned`);
        }
        const listed: string[] = [];
        for (let page = 1; ; page++) {
          const { data, body } = await stage.retryUntilCertain(creator, (client) =>
            client.attempt(listChatMessages, { params: { chatroomId: id }, query: { page, limit: 100 } }),
          );
          listed.push(...(data ?? []).map(({ message }) => message));
          if ((data ?? []).length < 100) {
            assert.equal(body.pagination?.total, listed.length, `the number of messages in room ${place}`);
            break;
          }
        }
        resolvePossible(room, listed);
        const remaining = messages.filter(({ isDeleted }) => !isDeleted);
        assert.deepEqual(
          listed.toSorted(),
          remaining.map(({ text }) => text).sort(),
          `the messages of room ${place}`,
        );
        const counted = await database.first<{
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
        assert.ok(counted);
        assert.equal(counted.memberCount, counted.members, `the member count of room ${place}`);
        assert.equal(counted.seqs, messages.length, `the numbers of the messages in room ${place}`);
        assert.ok(
          counted.lastSeq >= changes.certain && counted.lastSeq <= changes.certain + changes.possible,
          `room ${place} has numbered ${counted.lastSeq} changes of ${changes.certain} to ${changes.certain + changes.possible}`,
        );
      }
    },
  };
}
