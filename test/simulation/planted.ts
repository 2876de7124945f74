/** A fault that is planted in the source, to see that the simulation finds it. */
export interface PlantedFault {
  name: string;
  file: string;
  /** A text that the file contains once. */
  find: string;
  replace: string;
}

/** Each is a mistake that a change of the platform could make. */
export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'a stale balance is trusted',
    file: 'src/modules/wallet/ledger/ledger.store.ts',
    find: 'where id = any($19::text[]) and hash = any($20::bytea[]) and is_active and not locked',
    replace: 'where id = any($19::text[]) and $20::bytea[] is not null and is_active and not locked',
  },
  {
    name: 'answers are forgotten, so that a repeated request takes effect again',
    file: 'src/kernel/records/idempotency.ts',
    find: 'return (await before()) ?? { answered: await work(idempotency) };',
    replace: 'return { answered: await work({ ...idempotency, record: () => undefined }) };',
  },
  {
    name: 'a ban is not checked',
    file: 'src/modules/chat/sending.ts',
    find: 'if (membership?.bannedAt) return banned();',
    replace: '',
  },
  {
    name: 'a room counts a number twice',
    file: 'src/modules/chat/sending.ts',
    find: 'const seq = ++room.lastSeq;',
    replace: 'room.lastSeq += 2; const seq = room.lastSeq;',
  },
  {
    name: 'a deleted message is still counted',
    file: 'src/modules/chat/messages.store.ts',
    find: 'update chat.room set last_seq = $3, message_count = message_count - 1 where id = $1)',
    replace: 'update chat.room set last_seq = $3 where id = $1)',
  },
];
