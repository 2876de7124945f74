import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Person, withoutNames, withoutPerson } from '../../kernel/records/erasure.ts';

interface Naming {
  id: ObjectId;
  /** Null unless it is about the person. */
  title: string | null;
  message: string;
  metadata: Record<string, unknown>;
  createdAt: Date;
}

/** Notifications read by one statement, and compared before the process does other work. */
const READ_AT_ONCE = 1_000;

const readAfter = statement<Naming>(
  'notifications.naming',
  `select id, case when metadata::text like '%' || $2 || '%' then title end as title, message, metadata,
     created_at as "createdAt"
   from notifications.notification where id > $1 order by id limit $3`,
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
  for (let after = ''; ; ) {
    const read = await database.all(readAfter, [after, person.userId, READ_AT_ONCE]);
    const about = read.flatMap(({ id, title, message, metadata, createdAt: writtenAt }) =>
      title === null
        ? []
        : {
            id,
            title: withoutNames(title, person, writtenAt),
            message: withoutNames(message, person, writtenAt),
            metadata: JSON.stringify(withoutPerson(metadata, person, { writtenAt })),
          },
    );
    if (about.length > 0)
      await database.execute(replace, columnsOf(about, 'id', 'title', 'message', 'metadata'));
    if (read.length < READ_AT_ONCE) return;
    after = read.at(-1)?.id as ObjectId;
  }
}
