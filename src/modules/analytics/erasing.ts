import type { Database } from '../../kernel/database/database.ts';
import { onExternal, type Subscription } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { userDeleted } from '../identity/contract.ts';

const EVENTS_AT_ONCE = 2_000;

/**
 * Makes what a deleted person did anonymous: what their clients said of the events goes, and so does their number. Counts
 * stay as they were.
 */
export function erasing(database: Database): Subscription {
  async function erase(userId: ObjectId): Promise<void> {
    const person = await database.first<{ no: number }>(
      'select no from analytics.person where user_id = $1',
      [userId],
    );
    if (!person) return;
    let erased: number;
    do {
      erased = await database.execute(
        `update analytics.event e set metadata = '{}' from (
           select tableoid as part, ctid as place from analytics.event
           where person = $1 and metadata <> '{}'
             and name in (select no from analytics.name where source = 'client') limit ${EVENTS_AT_ONCE}) chosen
         where e.tableoid = chosen.part and e.ctid = chosen.place`,
        [person.no],
      );
    } while (erased === EVENTS_AT_ONCE);
    await database.transaction(async (tx) => {
      await tx.execute('delete from analytics.seen where person = $1', [person.no]);
      await tx.execute('delete from analytics.person where no = $1', [person.no]);
    });
  }
  return onExternal(userDeleted, 'analytics', ({ data }) => erase(data.userId));
}
