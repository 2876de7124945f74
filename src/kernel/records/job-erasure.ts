import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';
import { deadLetterOf } from '../messaging/dead-letters.ts';
import { type Person, patternsOf } from './erasure.ts';

/** Jobs read by one statement. */
const READ_AT_ONCE = 5_000;

interface Read {
  id: string;
  /** Whether an ended job is about the person. */
  isAbout: boolean | null;
  /** Whether a job that has yet to end, such as a mail that is tried again, names the person. */
  isWaiting: boolean | null;
}

const inOutbox = statement<{ isWaiting: boolean }>(
  'kernel.outbox-to-erase',
  'select exists (select from kernel.outbox where events::text ilike any($1)) as "isWaiting"',
);
const queues = statement<{ name: string }>('kernel.queues-to-erase', 'select name from jobs.queue');
const readAfter = statement<Read>(
  'kernel.jobs-to-erase',
  `select id, state not in ('created', 'retry', 'active')
       and (data::text ilike any($4) or output::text ilike any($4)) as "isAbout",
     state in ('created', 'retry', 'active') and data::text ilike any($5) as "isWaiting"
   from jobs.job where name = $1 and id > $2::uuid order by id limit $3`,
);
const readDead = statement<Read>(
  'kernel.dead-jobs-to-erase',
  `select id, (data::text ilike any($4) or output::text ilike any($4)) as "isAbout", false as "isWaiting"
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
  const addresses = patternsOf({ ...person, userId: undefined });
  // Before the jobs, because events become jobs.
  let isWaiting = (await database.first(inOutbox, [addresses]))?.isWaiting ?? false;
  const names = (await database.all(queues)).map(({ name }) => name);
  const deadLetters = new Set(names.map(deadLetterOf));
  for (const name of names) {
    const isDead = deadLetters.has(name);
    const patterns = isDead ? addresses : patternsOf(person);
    if (patterns.length === 0) continue;
    const isWaitingHere = await eraseJobsOf(database, { name, isDead, patterns, addresses });
    isWaiting ||= isWaitingHere;
  }
  return isWaiting;
}

interface Erased {
  name: string;
  /** Whether the queue is for dead letters. */
  isDead: boolean;
  /** What an ended job about the person contains one of. */
  patterns: string[];
  /** What a job that has yet to end contains one of. */
  addresses: string[];
}

/** Erases the person from one queue. @returns whether a job that has yet to end names them */
async function eraseJobsOf(
  database: Database,
  { name, isDead, patterns, addresses }: Erased,
): Promise<boolean> {
  let isWaiting = false;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const read = isDead
      ? await database.all(readDead, [name, after, READ_AT_ONCE, patterns])
      : await database.all(readAfter, [name, after, READ_AT_ONCE, patterns, addresses]);
    isWaiting ||= read.some((one) => one.isWaiting);
    const found = read.filter(({ isAbout }) => isAbout).map(({ id }) => id);
    if (found.length > 0) await database.execute(isDead ? remove : empty, [name, found]);
    if (read.length < READ_AT_ONCE) return isWaiting;
    after = read.at(-1)?.id as string;
  }
}
