/** A fault to plant in the source, to check that the simulation finds it. */
export interface PlantedFault {
  name: string;
  file: string;
  /** The text to replace; the file must contain it exactly once. */
  find: string;
  replace: string;
}

/** Mistakes that a developer could make in a change of the platform. */
export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'the lock of a room is missing',
    file: 'src/modules/chat/rooms.store.ts',
    find: 'where id = any($1) and deleted_at is null order by id for no key update`,',
    replace: 'where id = any($1) and deleted_at is null order by id`,',
  },
  {
    name: 'a withdrawal is rounded up to the next cent',
    file: 'src/modules/wallet/exchange-rates/exchange-rates.store.ts',
    find: 'select floor($1::numeric * rate * 100)::text as down',
    replace: 'select ceil($1::numeric * rate * 100)::text as down',
  },
  {
    name: 'events are lost when several come at once',
    file: 'src/modules/webhooks/events/event-log.ts',
    find: 'if (logged.length > 0) await store.append(tx, logged);',
    replace: 'if (logged.length > 0) await store.append(tx, logged.slice(0, 2));',
  },
  {
    name: 'payments of which no webhook came are not asked for',
    file: 'src/modules/merchant/module.ts',
    find: '      await reconcileCheckouts();\n',
    replace: '',
  },
  {
    name: 'a like that is taken back is still counted',
    file: 'src/modules/educators/announcements/announcement-likes.store.ts',
    find: 'set likes = a.likes - f.fewer',
    replace: 'set likes = a.likes',
  },
  {
    name: 'the search does not follow changes of announcements',
    file: 'src/modules/educators/educators.searchable.ts',
    find: 'changes(announcementChanged, ({ announcementId }) => [announcementId]),',
    replace: '',
  },
  {
    name: 'answers are forgotten, so that a repeated request takes effect again',
    file: 'src/kernel/records/idempotency.ts',
    find: 'return (await before()) ?? { answered: await work(idempotency, claim) };',
    replace:
      'return { answered: await work({ ...idempotency, record: () => undefined }, async () => undefined) };',
  },
  {
    name: 'a ban is not checked',
    file: 'src/modules/chat/room-access.ts',
    find: 'if (membership?.bannedAt) return banned;',
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
  {
    name: 'the notifications are not asked to erase a person',
    file: 'src/app/assembly.ts',
    find: 'for (const module of modules) await module.erasePerson?.(person);',
    replace: 'for (const module of modules.slice(0, 1)) await module.erasePerson?.(person);',
  },
  {
    name: 'a lesson that is studied again is no longer completed',
    file: 'src/modules/education/progress/progress.store.ts',
    find: 'completed_at = coalesce(known.completed_at, excluded.completed_at)',
    replace: 'completed_at = excluded.completed_at',
  },
  {
    name: 'whoever leaves a course is still counted',
    file: 'src/modules/education/enrolments/enrolments.store.ts',
    find: 'set enrolled_count = enrolled_count - 1 from ended',
    replace: 'set enrolled_count = enrolled_count from ended',
  },
  {
    name: 'a deleted post is still counted',
    file: 'src/modules/community/posts.store.ts',
    find: 'set post_count = post_count - 1',
    replace: 'set post_count = post_count',
  },
];
