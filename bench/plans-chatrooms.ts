// `node bench/plans-chatrooms.ts`: the plans of a page of a member's chatrooms by activity: a thousand of theirs among a million,
// with a million messages in them.
import type { Database } from '../src/kernel/database/database.ts';
import { membershipStore } from '../src/modules/chat/memberships.store.ts';
import { messageStore } from '../src/modules/chat/messages.store.ts';
import { roomStore } from '../src/modules/chat/rooms.store.ts';
import { onMigratedDatabase } from './planning.ts';

const ROOMS = 1_000_000;
const OWN = 1_000;
const MESSAGES = 1_000_000;
const MEMBER = 'f'.repeat(24);
const PAGE = 20;
const id = (i: string) => `lpad(to_hex(${i}), 24, '0')`;
/** Every thousandth room is one of the member's. */
const OWN_ROOM = id(`${ROOMS / OWN} * (1 + i % ${OWN})`);

await onMigratedDatabase(async (client) => {
  await client.query(`
    insert into chat.room (id, name, type, created_by, last_seq, message_count, member_count, created_at, updated_at)
    select ${id('i')}, 'Room', case when i % 2 = 0 then 'private' else 'public' end, ${id('i')}, ${MESSAGES / OWN},
      ${MESSAGES / OWN}, 2, '2026-01-01'::timestamptz + i * interval '1 second', now()
    from generate_series(1, ${ROOMS}) i`);
  await client.query(`
    insert into chat.member (room_id, user_id, is_member, joined_at, read_seq)
    select ${id('i')}, ${id('i')}, true, now(), 0 from generate_series(1, ${ROOMS}) i`);
  await client.query(`
    insert into chat.member (room_id, user_id, is_member, joined_at, read_seq)
    select ${OWN_ROOM}, '${MEMBER}', true, now(), 500 from generate_series(1, ${OWN}) i`);
  await client.query(`
    insert into chat.message (id, room_id, user_id, message, seq, changed_seq, client_id, created_at)
    select ${id('i')}, ${OWN_ROOM}, ${id('i % 1000')}, 'Gold breaks out!', 1 + i / ${OWN}, 1 + i / ${OWN}, 'c' || i,
      '2026-02-01'::timestamptz + i * interval '1 second'
    from generate_series(0, ${MESSAGES - 1}) i`);
  await client.query('vacuum analyze');

  /** Prints the plans of what a store reads, and returns the rows. */
  const printed = async (query: string | { text: string }, values: unknown[]) => {
    const text = typeof query === 'string' ? query : query.text;
    const { rows: plan } = await client.query(`explain (analyze, costs off, buffers) ${text}`, values);
    console.log(
      `\n${text.trim().slice(0, 70)}...\n${plan.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`,
    );
    return (await client.query(text, values)).rows;
  };
  const database = {
    all: printed,
    count: async (query: string, values: unknown[]) => Number((await printed(query, values))[0]?.count),
  } as unknown as Database;
  const rooms = roomStore(database);
  const own = { userId: MEMBER };
  const first = await rooms.joinedPage(own, 'active', { page: 1, limit: PAGE });
  await rooms.joinedPage(own, 'active', { page: 10, limit: PAGE });
  const ids = first.items.map((room) => room.id);
  await messageStore(database).lastOf(ids);
  await membershipStore(database).unreadOf(MEMBER, ids);
  await membershipStore(database).someOthersIn(ids, MEMBER);
  await membershipStore(database).allUnreadOf(MEMBER);
});
