import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { namingOf, type Person, withoutNames, withoutPerson } from '../../kernel/records/erasure.ts';

interface Naming {
  id: ObjectId;
  title: string;
  message: string;
  metadata: Record<string, unknown>;
  createdAt: Date;
}

/** Notifications looked at by one statement, so that it takes some milliseconds. */
const LOOKED_AT_ONCE = 5_000;

/** Notifications compared before the process does other work. */
const COMPARED_AT_ONCE = 1_000;

/**
 * Those about the person, by their id or, in what operators have written, by their address, are found by the database: there
 * may be a hundred million others. The next account may have the same address.
 */
const lookAfter = statement<{ last: ObjectId; count: number; naming: ObjectId[] }>(
  'notifications.find-naming',
  `select max(id) as last, count(*) as count, coalesce(array_agg(id) filter (where is_about), '{}') as naming
   from (
     select id, strpos(metadata::text, $2) > 0
       or created_at <= $6 and texts ilike any($4) and texts ~* $5 as is_about
     from notifications.notification, lateral (select concat_ws(' ', title, message, metadata::text) as texts) t
     where id > $1 order by id limit $3) looked_at`,
);
const readAll = statement<Naming>(
  'notifications.naming',
  `select id, title, message, metadata, created_at as "createdAt" from notifications.notification where id = any($1)`,
);
const replace = statement<never>(
  'notifications.replace-names',
  `update notifications.notification n set title = new.title, message = new.message, metadata = new.metadata
   from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[]) as new (id, title, message, metadata)
   where n.id = new.id
     and (n.title, n.message, n.metadata) is distinct from (new.title, new.message, new.metadata)`,
);

/** Replaces the names of a deleted member in the notifications of others. May be repeated. */
export async function eraseNames(database: Database, person: Person): Promise<void> {
  const { patterns, expression } = namingOf({ emails: person.emails });
  const byAddress = [patterns, expression, person.emailsUntil];
  for (let after = ''; ; ) {
    const look = await database.first(lookAfter, [after, person.userId, LOOKED_AT_ONCE, ...byAddress]);
    if (!look) return;
    for (let place = 0; place < look.naming.length; place += COMPARED_AT_ONCE) {
      const read = await database.all(readAll, [look.naming.slice(place, place + COMPARED_AT_ONCE)]);
      const about = read.map(({ id, title, message, metadata, createdAt: writtenAt }) => ({
        id,
        title: withoutNames(title, person, writtenAt),
        message: withoutNames(message, person, writtenAt),
        metadata: JSON.stringify(withoutPerson(metadata, person, { writtenAt })),
      }));
      await database.execute(replace, columnsOf(about, 'id', 'title', 'message', 'metadata'));
    }
    if (look.count < LOOKED_AT_ONCE) return;
    after = look.last;
  }
}
