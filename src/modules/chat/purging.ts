import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import { type Moderation, memberMuted } from '../moderation/contract.ts';
import { withAuthors } from './authors.ts';
import { sendToRooms } from './live-messages.ts';
import type { Message } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';
import type { RoomStore } from './rooms.store.ts';

interface PurgingDeps extends Pick<Core, 'database' | 'live' | 'clock'> {
  rooms: Pick<RoomStore, 'lock'>;
  messages: Pick<MessageStore, 'someOf' | 'delete'>;
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'closeReports'>;
}

/** Maximum age of the messages that are deleted when a member is muted. */
const PURGED_MS = 7 * DAY_MS;
const MESSAGES_AT_ONCE = 100;

/** Deletes the latest messages of members whose mute requests it, and notifies the rooms. */
export function purging({
  rooms,
  messages,
  identity,
  moderation,
  database,
  live,
  clock,
}: PurgingDeps): Subscription {
  /** Deletes some messages under the locks of their rooms, and closes the reports of them. */
  async function deleteSome(
    tx: Transaction,
    userId: ObjectId,
    by: ObjectId,
    since: Date,
  ): Promise<Message[]> {
    const some = await messages.someOf(tx, userId, since, MESSAGES_AT_ONCE);
    if (some.length === 0) return [];
    const subjectIds = some.map(({ id }) => id);
    await moderation.closeReports(tx, { kind: 'message', subjectIds }, { actor: by });
    const roomIds = [...new Set(some.map(({ roomId }) => roomId))].sort();
    const locked = new Map((await rooms.lock(tx, roomIds)).map((room) => [room.id, room]));
    // Read again under the locks, because somebody else may have deleted some of them.
    const found = await messages.someOf(tx, userId, since, MESSAGES_AT_ONCE);
    const at = clock.date();
    const deleted: Message[] = [];
    for (const message of found) {
      const room = locked.get(message.roomId);
      // The reports of those that were not among the first are closed in the next round.
      if (!room || !subjectIds.includes(message.id)) continue;
      const seq = ++room.lastSeq;
      await messages.delete(tx, message, { by, isDecided: true, seq, at });
      deleted.push({ ...message, changedSeq: seq, deletedAt: at });
    }
    return deleted;
  }

  return onExternal(memberMuted, 'chat', async ({ data: { userId, by, deletesMessages } }) => {
    if (!deletesMessages) return;
    const since = new Date(clock.now() - PURGED_MS);
    for (;;) {
      const deleted = await database.transaction((tx) => deleteSome(tx, userId, by, since));
      if (deleted.length === 0) return;
      await sendToRooms(live, await withAuthors(identity, deleted));
    }
  });
}
