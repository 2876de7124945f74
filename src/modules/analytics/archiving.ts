import { Readable } from 'node:stream';
import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { ClosedMonth } from '../../kernel/records/months.ts';
import type { ArchivedEvent } from './archive.model.ts';
import { archiveStore } from './archive.store.ts';
import { parquetOf, ROWS_IN_GROUP } from './parquet.ts';

interface ArchiveDeps extends Pick<Core, 'database' | 'clock'> {
  storage: ObjectStorage;
}

/** The key of a month's file, by UTC: `analytics/2026-05.parquet`. */
const keyOf = ({ starts }: ClosedMonth): string => `analytics/${starts.toISOString().slice(0, 7)}.parquet`;

/** A month has more events than were archived, or fewer. */
class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}

/**
 * Returns what writes a month of events to the object storage before it is dropped. Readers see the whole file or none, and
 * a file is written again unless it was noted with all its events: it may be killed at any moment.
 * @throws StorageFault, ArchiveFault
 */
export function archiving({ database, storage, clock }: ArchiveDeps) {
  const store = archiveStore(database);

  async function isArchived(month: ClosedMonth): Promise<boolean> {
    const events = await store.archived(month);
    if (events === undefined || events !== (await store.countEvents(month))) return false;
    return (await storage.head(keyOf(month))) !== undefined;
  }

  async function write(month: ClosedMonth): Promise<void> {
    const key = keyOf(month);
    let events = 0;
    async function* counted(groups: AsyncIterable<ArchivedEvent[]>) {
      for await (const group of groups) {
        events += group.length;
        yield group;
      }
    }
    const file = parquetOf(counted(store.eventsOf(month, ROWS_IN_GROUP)));
    await storage.write(
      key,
      { stream: Readable.from(file, { objectMode: false }) },
      { contentType: 'application/vnd.apache.parquet' },
    );
    const expected = await store.countEvents(month);
    if (events !== expected) throw new ArchiveFault(`${key} has ${events} events of ${expected}`);
    await store.note(month, { key, events, at: clock.date() });
  }

  return async (month: ClosedMonth): Promise<true> => {
    if (!(await isArchived(month))) await write(month);
    return true;
  };
}
