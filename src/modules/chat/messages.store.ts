import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { offsetOf, type PageRequest } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import { lowestIdAt, type ObjectId } from '../../kernel/ids.ts';
import { digestOf } from '../../kernel/secrets.ts';
import {
  type Change,
  type EverMessage,
  type LastMessage,
  MAX_BEGINNING_LENGTH,
  type Message,
} from './messages.model.ts';

const MESSAGE = `id, room_id as "roomId", user_id as "userId", message, seq, changed_seq as "changedSeq",
  client_id as "clientId", created_at as "createdAt", edited_at as "editedAt", deleted_at as "deletedAt",
  sent_digest as "sentDigest"`;

/**
 * Also advances the room's event number and message count; and the time of its last message, for programs of the former
 * version. It is no longer read, since it stays when that message is deleted.
 */
const insert = statement<never>(
  'chat.insert-messages',
  `with added as (
     insert into chat.message (id, room_id, user_id, message, seq, changed_seq, client_id, created_at)
     select id, room_id, user_id, message, seq, seq, client_id, $7
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
       as asked (id, room_id, user_id, message, seq, client_id)
     returning room_id, seq)
   update chat.room set last_seq = of_room.last_seq, last_message_at = $7,
     message_count = message_count + of_room.added
   from (select room_id, max(seq) as last_seq, count(*) as added from added group by room_id) of_room
   where id = of_room.room_id`,
);
const touch = statement<never>(
  'chat.last-sent',
  `update chat.member set last_sent_at = $3
   where (room_id, user_id) in (select * from unnest($1::text[], $2::text[]))`,
);
const byClientId = statement<Message>(
  'chat.by-client-id',
  `select ${MESSAGE} from chat.message
   where (user_id, room_id, client_id) in (select * from unnest($1::text[], $2::text[], $3::text[]))`,
);
/** Includes texts up to `$4` bytes in all, at least one; the others are read later. */
const changes = statement<Change>(
  'chat.changes',
  `select id, "roomId", "userId", seq, "changedSeq", "clientId", "createdAt", "editedAt", "deletedAt", "sentDigest", bytes,
     case when upto <= $4 or upto = bytes then message end as message
   from (
     select newest.*, sum(bytes) over (order by "changedSeq") as upto
     from (
       select ${MESSAGE}, case when deleted_at is null then octet_length(message) else 0 end as bytes
       from chat.message where room_id = $1 and changed_seq > $2 order by changed_seq desc limit $3) newest) summed
   order by "changedSeq"`,
);
const byIds = statement<Message>('chat.by-ids', `select ${MESSAGE} from chat.message where id = any($1)`);
const newest = statement<Message>(
  'chat.newest',
  `select ${MESSAGE} from chat.message where room_id = $1 and deleted_at is null
   order by seq desc limit $2 offset $3`,
);

/** The newest message of each room, by one step in message_listing. */
const lastOf = statement<LastMessage>(
  'chat.last-of-rooms',
  `select last.* from unnest($1::text[]) as asked (id) cross join lateral (
     select id, room_id as "roomId", user_id as "userId", created_at as "createdAt",
       case when length(message) > ${MAX_BEGINNING_LENGTH}
         then left(message, ${MAX_BEGINNING_LENGTH - 1}) || '…' else message end as message
     from chat.message where room_id = asked.id and deleted_at is null order by seq desc limit 1) last`,
);

const someOf = statement<Message>(
  'chat.messages-of-member',
  `select ${MESSAGE} from chat.message
   where user_id = $1 and id >= $2 and created_at >= $3 and deleted_at is null
     and exists (select from chat.room r where r.id = message.room_id and r.deleted_at is null)
   order by id limit $4`,
);
const edit = statement<never>(
  'chat.edit-message',
  `with counted as (update chat.room set last_seq = $3 where id = $1)
   update chat.message set message = $4, changed_seq = $3, edited_at = $5,
     sent_digest = coalesce(sent_digest, $6) where id = $2`,
);
const remove = statement<never>(
  'chat.delete-message',
  `with counted as (update chat.room set last_seq = $3, message_count = message_count - 1 where id = $1)
   update chat.message set changed_seq = $3, deleted_at = $5, deleted_by = $4, is_decided = $6 where id = $2`,
);

type NewMessage = Pick<Message, 'id' | 'roomId' | 'userId' | 'message' | 'seq' | 'clientId'>;

export function messageStore(database: Database) {
  /** Returns the number of messages in a room, from a stored count. */
  async function count(roomId: ObjectId): Promise<number> {
    return database.count('select message_count as total from chat.room where id = $1', [roomId]);
  }

  return {
    /** Inserts messages. Their rooms must be locked, and their event numbers consecutive. */
    insert(tx: Transaction, all: NewMessage[], at: Date): void {
      tx.send(insert, [...columnsOf(all, 'id', 'roomId', 'userId', 'message', 'seq', 'clientId'), at]);
    },

    /** Records that these members have just sent a message. */
    touch(tx: Transaction, all: { roomId: ObjectId; userId: ObjectId }[], at: Date): void {
      tx.send(touch, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId), at]);
    },

    byClientId: (
      queries: Queries,
      all: { roomId: ObjectId; userId: ObjectId; clientId: string | null }[],
    ): Promise<Message[]> => queries.all(byClientId, columnsOf(all, 'userId', 'roomId', 'clientId')),

    /**
     * Returns the newest `limit` messages created or changed after an event number, in the order of their changes;
     * texts beyond `bytes` bytes in all are null.
     */
    changesAfter: (roomId: ObjectId, seq: number, limit: number, bytes: number): Promise<Change[]> =>
      database.all(changes, [roomId, seq, limit, bytes]),
    /** Returns messages, including deleted ones. */
    findAll: (ids: ObjectId[]): Promise<Message[]> => database.all(byIds, [ids]),

    async find(roomId: ObjectId, id: ObjectId, queries: Queries = database): Promise<Message | undefined> {
      return queries.first<Message>(
        `select ${MESSAGE} from chat.message where id = $2 and room_id = $1 and deleted_at is null`,
        [roomId, id],
      );
    },

    /** Returns a message by its id alone, unless it was deleted. */
    findAnywhere: (id: ObjectId, queries: Queries = database): Promise<Message | undefined> =>
      queries.first<Message>(`select ${MESSAGE} from chat.message where id = $1 and deleted_at is null`, [
        id,
      ]),

    /** Returns a message by its id alone, also a deleted one. */
    findEver: (id: ObjectId): Promise<EverMessage | undefined> =>
      database.first<EverMessage>(
        `select ${MESSAGE}, deleted_by, is_decided from chat.message where id = $1`,
        [id],
      ),

    /** Returns some of a member's messages since an instant that are not deleted; served by message_of_user. */
    someOf: (tx: Transaction, userId: ObjectId, since: Date, limit: number): Promise<Message[]> =>
      tx.all(someOf, [userId, lowestIdAt(since), since, limit]),

    count,

    /** Returns whether anybody but this member has ever written in a room, also what was deleted; by message_changes. */
    hasOthersThan: async (tx: Transaction, roomId: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await tx.first('select 1 as found from chat.message where room_id = $1 and user_id <> $2 limit 1', [
        roomId,
        userId,
      ])) !== undefined,

    /** Returns messages, newest first. */
    async pageOf(roomId: ObjectId, request: PageRequest): Promise<{ items: Message[]; total: number }> {
      const [total, items] = await Promise.all([
        count(roomId),
        database.all(newest, [roomId, request.limit, offsetOf(request)]),
      ]);
      return { items, total };
    },

    /** Returns the newest message of each room that has any. */
    lastOf: (roomIds: ObjectId[]): Promise<LastMessage[]> => database.all(lastOf, [roomIds]),

    /** Returns the messages next to an event number, newest first; equally fast at any depth. */
    async nextTo(
      roomId: ObjectId,
      { before, after }: { before?: number; after?: number },
      limit: number,
    ): Promise<Message[]> {
      const isForward = before === undefined;
      const found = await database.all<Message>(
        `select ${MESSAGE} from chat.message
         where room_id = $1 and deleted_at is null and seq ${isForward ? '>' : '<'} $2
         order by seq ${isForward ? 'asc' : 'desc'} limit $3`,
        [roomId, isForward ? after : before, limit],
      );
      return isForward ? found.reverse() : found;
    },

    /** Returns the event number of a message, including deleted ones. */
    async seqOf(roomId: ObjectId, id: ObjectId): Promise<number | undefined> {
      const row = await database.first<{ seq: number }>(
        'select seq from chat.message where id = $2 and room_id = $1',
        [roomId, id],
      );
      return row?.seq;
    },

    /** Edits a message. The room must be locked; `seq` is its next event number. */
    async edit(
      tx: Transaction,
      message: Message,
      { text, seq, at }: { text: string; seq: number; at: Date },
    ): Promise<void> {
      const { roomId, id } = message;
      await tx.execute(edit, [roomId, id, seq, text, at, digestOf(message.message)]);
    },

    /** Deletes a message, as {@link edit}. What staff deletes (`isDecided`) cannot be reported any more. */
    async delete(
      tx: Transaction,
      message: Message,
      { by, isDecided, seq, at }: { by: ObjectId; isDecided: boolean; seq: number; at: Date },
    ): Promise<void> {
      await tx.execute(remove, [message.roomId, message.id, seq, by, at, isDecided]);
    },
  };
}

export type MessageStore = ReturnType<typeof messageStore>;
