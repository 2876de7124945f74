import type { Core } from '../../kernel/core.ts';
import { retention } from '../../kernel/records/retention.ts';
import type { Identity } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { Notifications } from '../notifications/contract.ts';
import type { Presence } from '../presence/contract.ts';
import { allowances, roomAllowances } from './allowances.ts';
import { blocking } from './blocking.ts';
import { messageLookUp, roomsOfUser } from './chat.administration.ts';
import { chatCommands } from './chat.commands.ts';
import {
  addedToRoom,
  chatroomRead,
  memberMutedInRoom,
  memberTyping,
  messageDeleted,
  messageEdited,
  messageSent,
  messagesLost,
  removedFromRoom,
  roomUpdated,
  sendAcknowledged,
} from './chat.live.ts';
import { chatMeasures } from './chat.measures.ts';
import { chatNotices } from './chat.notices.ts';
import { chatInternalEvents } from './chat.public-events.ts';
import { chatSearchable } from './chat.searchable.ts';
import type { Chat } from './contract.ts';
import { earlierTextStore } from './earlier-texts.store.ts';
import { educatorRooms } from './educator-rooms.ts';
import { erasing } from './erasing.ts';
import { chatRecords } from './member-records.store.ts';
import { membershipStore } from './memberships.store.ts';
import { REPORTABLE_DAYS } from './messages.model.ts';
import { messageOperations } from './messages.operations.ts';
import { messageStore } from './messages.store.ts';
import { messageRules } from './messages.ts';
import { missedEvents } from './missed.ts';
import { moderationOperations } from './moderation.operations.ts';
import { muting } from './muting.ts';
import { ownerStore } from './owners.store.ts';
import { ownerRules } from './owners.ts';
import { purging } from './purging.ts';
import { readingOperations } from './reading.operations.ts';
import { readingRules } from './reading.ts';
import { repairJob } from './repair.ts';
import { messagesToReport, reportableMessages } from './reportable-messages.ts';
import { reportableRooms } from './reportable-rooms.ts';
import { reportRules } from './reports.ts';
import { roomOperations } from './rooms.operations.ts';
import { roomStore } from './rooms.store.ts';
import { roomRules } from './rooms.ts';
import { sending } from './sending.ts';
import { standingStore } from './standings.store.ts';
import { surroundingsStore } from './surroundings.store.ts';
import { tellingStore } from './telling.store.ts';
import { telling } from './telling.ts';
import { waitingStore } from './waiting.store.ts';
import { waitingMessages } from './waiting.ts';

interface ChatDeps
  extends Pick<Core, 'database' | 'audit' | 'events' | 'jobs' | 'cache' | 'live' | 'clock' | 'newId'> {
  presence: Omit<Presence, 'enter' | 'leave'>;
  notifications: Pick<Notifications, 'withdrawIn' | 'fanOut'>;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
  moderation: Moderation;
}

/** Chatrooms and their messages. Owns the database schema `chat`. */
export function chatModule(deps: ChatDeps): Module<Chat> {
  const { database } = deps;
  const store = roomStore(database);
  const members = membershipStore(database);
  const messages = messageStore(database);
  const allowed = roomAllowances(deps.cache, deps.clock);
  const tell = telling({ ...deps, store: tellingStore(database), rooms: store });
  const rooms = roomRules({ ...deps, store, members, messages, allowances: allowed, telling: tell });
  const owners = ownerStore(database);
  const ownership = ownerRules({ ...deps, owners, store, members, telling: tell });
  const earlier = earlierTextStore(database);
  const take = allowances(deps.cache, deps.clock);
  const messagesRules = messageRules({ ...deps, store: messages, rooms: store, members, take, earlier });
  const findToReport = messagesToReport({ ...deps, store: messages, rooms: store, members, earlier });
  const reports = reportRules({ ...deps, rooms, findToReport });
  const waiting = waitingMessages({ ...deps, store: waitingStore(database), rooms: store });
  const send = sending({ ...deps, rooms: store, members, messages, take, tellIn: waiting.tellIn });
  const standings = standingStore(database);
  const blocks = blocking({ ...deps, store, members, telling: tell });
  const missed = missedEvents({ store: messages, identity: deps.identity });

  return {
    name: 'chat',
    memberRecords: chatRecords,
    internalEvents: chatInternalEvents,
    seed: async () => (await import('./chat.seed.ts')).chatSeed,
    sections: {
      Chatrooms: 'Rooms and their messages; new ones arrive over the live channel.',
      'Chat moderation': 'Muting, banning and removing in a room, and the reports of its messages.',
    },
    topics: ['CHATROOM'],
    service: {
      async enter(roomId, caller) {
        const { lastSeq, memberCount } = await rooms.opened(roomId, caller);
        return { seq: lastSeq, memberCount };
      },
      missed,
      excluded: rooms.excluded,
      ...educatorRooms({ ...deps, store, members, telling: tell }),
      async educatorRoom(id, caller) {
        const room = await rooms.view(await rooms.readable(id, caller), caller);
        const { name, description, rules, memberCount } = room;
        // Null is what the caller may not see.
        const [last] = room.lastMessage ? (await messages.pageOf(id, { page: 1, limit: 1 })).items : [];
        const lastMessage = last ? { content: last.message, timestamp: last.createdAt } : null;
        return { id, name, description, rules, memberCount, lastMessage };
      },
      join: async (roomId, caller) => void (await rooms.join(roomId, caller)),
      leave: async (roomId, caller) => void (await rooms.leave(roomId, caller)),
      seqs: async (roomIds) =>
        new Map((await store.findAll(roomIds)).map(({ id, lastSeq }) => [id, lastSeq])),
    },
    operations: [
      ...moderationOperations(rooms, reports),
      ...roomOperations(rooms, ownership),
      ...readingOperations({
        rooms,
        reading: readingRules({ ...deps, members, messages, waiting }),
        waiting,
      }),
      ...messageOperations({ rooms, messages: messagesRules, send }),
    ],
    jobs: [
      ...waiting.jobs,
      ...tell.jobs,
      ...blocks.jobs,
      repairJob({ ...deps, owners, ownerRules: ownership }),
      retention(deps, {
        name: 'chat.retention',
        cron: '37 * * * *',
        tables: [{ table: 'chat.earlier_text', key: 'id', since: 'replaced_at', days: REPORTABLE_DAYS }],
      }),
    ],
    notices: chatNotices({ rooms: store, members }),
    measures: chatMeasures,
    searchable: chatSearchable({ findAll: store.findAll, ...standings }),
    lookUps: [messageLookUp({ messages, rooms: store })],
    userOverview: [roomsOfUser(standings, deps)],
    reportables: [
      reportableMessages({
        find: findToReport,
        messages: messagesRules,
        surroundings: surroundingsStore(database),
        rooms: store,
        members,
      }),
      reportableRooms({ ...deps, store, members, telling: tell }),
    ],
    live: {
      messages: [
        messageSent,
        messageEdited,
        messageDeleted,
        memberTyping,
        memberMutedInRoom,
        addedToRoom,
        removedFromRoom,
        roomUpdated,
        messagesLost,
        chatroomRead,
        sendAcknowledged,
      ],
      commands: chatCommands({
        live: deps.live,
        send,
        isMuted: muting({ ...deps, members }),
        hiddenFrom: deps.presence.hiddenFrom,
      }),
    },
    subscriptions: [
      purging({ ...deps, rooms: store, messages }),
      erasing({ ...deps, store, members, owners, earlier, ownerRules: ownership, telling: tell }),
      ...blocks.subscriptions,
    ],
  };
}
