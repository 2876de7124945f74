import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';
import { deadLetterOf } from '../messaging/dead-letters.ts';
import { type Person, patternsOf } from './erasure.ts';

/** Jobs read by one statement. */
const READ_AT_ONCE = 5_000;

interface Read {
  id: string;
  isAbout: boolean | null;
}

const queues = statement<{ name: string }>('kernel.queues-to-erase', 'select name from jobs.queue');
const readAfter = statement<Read>(
  'kernel.jobs-to-erase',
  `select id, state not in ('created', 'retry', 'active')
     and (data::text ilike any($4) or output::text ilike any($4)) as "isAbout"
   from jobs.job where name = $1 and id > $2::uuid order by id limit $3`,
);
const readDead = statement<Read>(
  'kernel.dead-jobs-to-erase',
  `select id, (data::text ilike any($4) or output::text ilike any($4)) as "isAbout"
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
 * them. Other failed jobs remain, so that operators can retry them.
 */
export async function eraseJobs(database: Database, person: Person): Promise<void> {
  const names = (await database.all(queues)).map(({ name }) => name);
  const deadLetters = new Set(names.map(deadLetterOf));
  for (const name of names) {
    const isDead = deadLetters.has(name);
    const patterns = patternsOf(isDead ? { ...person, userId: undefined } : person);
    if (patterns.length === 0) continue;
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const read = await database.all(isDead ? readDead : readAfter, [name, after, READ_AT_ONCE, patterns]);
      const found = read.filter(({ isAbout }) => isAbout).map(({ id }) => id);
      if (found.length > 0) await database.execute(isDead ? remove : empty, [name, found]);
      if (read.length < READ_AT_ONCE) break;
      after = read.at(-1)?.id as string;
    }
  }
}
