import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';
import { deadLetterOf } from '../messaging/dead-letters.ts';
import { RELAY_QUEUE } from '../messaging/event-relay.ts';
import { containing, type Naming, namingOf, type Person } from './erasure.ts';

/** Jobs read by one statement. */
const READ_AT_ONCE = 5_000;

interface Read {
  id: string;
  /** Whether an ended job is about the person. */
  isAbout: boolean | null;
  /** Whether a job that has yet to end, such as a mail that is tried again, names the person. */
  isWaiting: boolean | null;
}

/** Whether an address in a job is still that of the person. */
const IS_THEIRS = '(created_on <= $8 or data::text like $5)';
/**
 * Whether a job names the person: by an address, or by the name beside the id, as an event about a member does. An id alone
 * tells nobody who they were.
 */
const NAMING = `(data::text ilike any($4) and data::text ~* $7 and ${IS_THEIRS}
  or data::text like $5 and data::text ilike any($6))`;

const inOutbox = statement<{ isWaiting: boolean }>(
  'kernel.outbox-to-erase',
  'select exists (select from kernel.outbox where events::text ilike any($1) and events::text ~* $2) as "isWaiting"',
);
/** The queue whose jobs enqueue others comes first, as the outbox comes before all queues. */
const queues = statement<{ name: string }>(
  'kernel.queues-to-erase',
  'select name from jobs.queue order by name = $1 desc, name',
);
const readAfter = statement<Read>(
  'kernel.jobs-to-erase',
  `select id, state not in ('created', 'retry', 'active')
       and (data::text ilike any($9) and data::text ~* $10 or output::text ilike any($9) and output::text ~* $10)
       and ${IS_THEIRS} as "isAbout",
     state in ('created', 'retry', 'active') and ${NAMING} as "isWaiting"
   from jobs.job where name = $1 and id > $2::uuid order by id limit $3`,
);
const readDead = statement<Read>(
  'kernel.dead-jobs-to-erase',
  `select id, (${NAMING} or output::text ilike any($4) and output::text ~* $7 and ${IS_THEIRS}) as "isAbout", false as "isWaiting"
   from jobs.job where name = $1 and id > $2::uuid order by id limit $3`,
);
const empty = statement<never>(
  'kernel.empty-jobs',
  `update jobs.job set data = '{}', output = null where name = $1 and id = any($2::uuid[])`,
);
const remove = statement<never>(
  'kernel.remove-dead-jobs',
  'delete from jobs.job where name = $1 and id = any($2::uuid[])',
);

/**
 * Empties the completed jobs about a deleted member, which are kept for a day, and deletes dead-letter jobs that name
 * them. Other failed jobs remain, so that operators can retry them. Events and jobs that have yet to run are left
 * unchanged.
 * @returns whether any of those names the person; the erasure must then be repeated after they have run
 */
export async function eraseJobs(database: Database, person: Person): Promise<boolean> {
  const naming = {
    addresses: namingOf({ emails: person.emails }),
    id: containing(person.userId),
    // As a whole text of JSON: the first name "Al" is also a part of other words.
    names: person.names.filter(({ name }) => name).map(({ name }) => containing(JSON.stringify(name))),
    about: namingOf(person),
    until: person.emailsUntil,
  };
  // Before the jobs, because events become jobs.
  let isWaiting =
    (await database.first(inOutbox, [naming.addresses.patterns, naming.addresses.expression]))?.isWaiting ??
    false;
  const names = (await database.all(queues, [RELAY_QUEUE])).map(({ name }) => name);
  const deadLetters = new Set(names.map(deadLetterOf));
  for (const name of names) {
    const isWaitingHere = await eraseJobsOf(database, name, deadLetters.has(name), naming);
    isWaiting ||= isWaitingHere;
  }
  return isWaiting;
}

/** What the text of a job is compared with; `id` and `names` are `like` patterns. */
interface NamingInJobs {
  addresses: Naming;
  id: string;
  names: string[];
  /** Of the id and the addresses. */
  about: Naming;
  /** Until when an address is that of the person. */
  until: Date;
}

/** Erases the person from one queue. @returns whether a job that has yet to end names them */
async function eraseJobsOf(
  database: Database,
  name: string,
  isDead: boolean,
  { addresses, id, names, about, until }: NamingInJobs,
): Promise<boolean> {
  let isWaiting = false;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const values = [name, after, READ_AT_ONCE, addresses.patterns, id, names, addresses.expression, until];
    const read = isDead
      ? await database.all(readDead, values)
      : await database.all(readAfter, [...values, about.patterns, about.expression]);
    isWaiting ||= read.some((one) => one.isWaiting);
    const found = read.filter(({ isAbout }) => isAbout).map(({ id }) => id);
    if (found.length > 0) await database.execute(isDead ? remove : empty, [name, found]);
    if (read.length < READ_AT_ONCE) return isWaiting;
    after = read.at(-1)?.id as string;
  }
}
