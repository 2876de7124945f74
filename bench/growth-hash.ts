import type pg from 'pg';

const PARTS = 16;
const BATCH = 500;

interface Comparison {
  table: string;
  /** The key that the rows are divided by, and what stays unique. */
  by: string;
  unique: string;
  /** A look at the table as requests do it most, and one without the key; `$1` is a number of a row. */
  byKey: string;
  byId?: string;
}

const COMPARED: Comparison[] = [
  {
    table: 'chat.message',
    by: 'room_id',
    unique: 'room_id, id',
    byKey: `select * from TABLE where room_id = bench.id($1::bigint % 200) order by seq desc limit 50`,
    byId: 'select * from TABLE where id = bench.id($1::bigint)',
  },
  {
    table: 'wallet.entry',
    by: 'account_id',
    unique: 'account_id, seq',
    byKey: `select * from TABLE where account_id = bench.member($1::bigint, ROWS / 100) order by seq desc limit 20`,
  },
];

/** Compares a table with the same one divided by hash: milliseconds for a batch of rows, and for a look. */
export async function compareHashes(client: pg.Client, rows: number): Promise<object[]> {
  const timed = async (times: number, work: (n: number) => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now();
    for (let n = 1; n <= times; n++) await work(n);
    return (performance.now() - startedMs) / times;
  };
  const lines: object[] = [];
  for (const one of COMPARED)
    for (const kind of ['whole', 'by hash'] as const) {
      const table = `bench.${one.table.split('.')[1]}_${kind === 'whole' ? 'whole' : 'hashed'}`;
      await client.query(
        `create table ${table} (like ${one.table} including defaults including generated)
         ${kind === 'whole' ? '' : `partition by hash (${one.by})`}`,
      );
      for (let part = 0; part < PARTS && kind === 'by hash'; part++)
        await client.query(
          `create table ${table}_${part} partition of ${table} for values with (modulus ${PARTS}, remainder ${part})`,
        );
      await client.query(`alter table ${table} add primary key (${one.unique})`);
      if (one.byId) {
        await client.query(`create index on ${table} (room_id, seq desc)`);
        await client.query(`create index on ${table} (id)`);
      }
      const columns = (
        await client.query(
          `select string_agg(quote_ident(attname), ',') as list from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
          [one.table],
        )
      ).rows[0].list;
      const key = one.unique.split(', ')[1];
      await client.query(
        `create temporary table source as select row_number() over (order by ${key}) as place, t.* from ${one.table} t limit ${rows}`,
      );
      await client.query('create index on source (place)');
      await client.query('analyze source');
      const insertMs = await timed(rows / BATCH, (n) =>
        client.query(
          `insert into ${table} (${columns}) select ${columns} from source where place > $1 and place <= $2`,
          [(n - 1) * BATCH, n * BATCH],
        ),
      );
      await client.query('drop table source');
      await client.query(`analyze ${table}`);
      const look = (text: string) => {
        const query = {
          name: `${table} ${text.length}`,
          text: text.replace('TABLE', table).replace('ROWS', String(rows)),
        };
        return timed(1_000, (n) => client.query(query, [n * 13]));
      };
      lines.push({
        table: one.table,
        kind,
        [`ms a batch of ${BATCH}`]: insertMs.toFixed(1),
        'ms a look by key': (await look(one.byKey)).toFixed(3),
        'ms a look by id': one.byId ? (await look(one.byId)).toFixed(3) : '-',
      });
    }
  return lines;
}
