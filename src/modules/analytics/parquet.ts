import type { ByteWriter, SchemaElement } from 'hyparquet-writer';
import type { ArchivedEvent } from './archive.model.ts';

/** Rows that are encoded together; some ten megabytes of memory. */
export const ROWS_IN_GROUP = 50_000;

type Column = Omit<SchemaElement, 'name'>;

const TEXT: Column = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
/** By UTC. */
const TIME: Column = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};
const COLUMNS: [key: keyof ArchivedEvent, name: string, column: Column][] = [
  ['id', 'id', TEXT],
  ['occurredAt', 'occurred_at', TIME],
  ['receivedAt', 'received_at', TIME],
  ['person', 'person', { type: 'INT32' }],
  ['source', 'source', TEXT],
  ['name', 'name', TEXT],
  ['type', 'type', TEXT],
];
const SCHEMA: SchemaElement[] = [
  { name: 'event', num_children: COLUMNS.length },
  ...COLUMNS.map(([, name, column]) => ({ ...column, name, repetition_type: 'REQUIRED' as const })),
];

/** Takes what has been written out of the writer, whose offset goes on. */
function taken(writer: ByteWriter): Buffer {
  const bytes = Buffer.copyBytesFrom(new Uint8Array(writer.buffer, 0, writer.index));
  writer.index = 0;
  return bytes;
}

/** Yields the bytes of a Parquet file with the events. Only one group of rows is in memory at a time. */
export async function* parquetOf(groups: AsyncIterable<ArchivedEvent[]>): AsyncGenerator<Buffer> {
  // Loaded for the first archive, since few processes ever write one.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: SCHEMA, createdBy: 'platform-api' });
  for await (const rows of groups) {
    file.write({
      columnData: COLUMNS.map(([key, name]) => ({
        name,
        data: rows.map((row) => row[key]),
        // Indexes of pages would be kept in memory until the end of the file.
        offsetIndex: false,
      })),
      rowGroupSize: ROWS_IN_GROUP,
    });
    yield taken(writer);
  }
  file.finish();
  yield taken(writer);
}
