// `node bench/plans-statements.ts indicators` (or `educators`): the generic plan of every statement of indicators and
// the marketplace, or of educators, with a million rows of each kind. Full scans of growing tables are marked.
import diagnostics from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { STATEMENT_DECLARED } from '../src/kernel/database/queries.ts';
import { sqlTexts } from '../test/support/sql-texts.ts';

interface Text {
  name: string;
  text: string;
}
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
}

const id = (number: string): string => `lpad(to_hex((${number})::int), 24, '0')`;
const MILLION = 'generate_series(1, 1000000) n';

const FILL: Record<string, string[]> = {
  indicators: [
    `insert into indicators.indicator (id, name, description, pine_id, is_active, sort_order, created_at, updated_at)
     select ${id('n')}, 'I' || n, '', 'PUB;' || n, true, n, now(), now() from generate_series(1, 50) n`,
    'alter table indicators.access disable trigger user',
    `insert into indicators.access (id, indicator_id, user_id, handle, is_wanted, status, failed_action, source, request_id,
       version, due_at, leased_until, error_kind, moved_by, moved_why, created_at, updated_at)
     select ${id('n')}, ${id('1 + n % 50')}, ${id('1 + n / 50')}, 'h' || n / 50, true,
       case when n % 100 = 0 then 'failed' when n % 200 = 1 then 'pending_grant' else 'active' end,
       case when n % 100 = 0 then 'grant' end, 'automated', case when n % 10 = 0 then ${id('n')} end, 1,
       case when n % 200 = 1 then now() end, null, case when n % 1000 = 0 then 'unavailable' when n % 100 = 0 then 'refused' end,
       'plans', 'plans', now(), now() from ${MILLION}`,
    `insert into indicators.entry (access_id, pine_id, handle_key, handle, is_confirmed)
     select id, 'PUB;' || (1 + row_number() over () % 50), handle, handle, true from indicators.access`,
    `insert into indicators.move (access_id, to_status, version, moved_by, why, created_at)
     select id, status, 1, 'plans', 'plans', now() from indicators.access`,
    `insert into indicators.tally select indicator_id, status, 0, count(*) from indicators.access group by 1, 2`,
    `insert into indicators.spelling select 'h' || n, 'h' || n, now() from generate_series(1, 100000) n`,
    `insert into indicators.holder (user_id, saved_handle) select ${id('n')}, 'h' || n from generate_series(1, 100000) n`,
    `insert into indicators.webhook_event select 'access', 'e' || n, '{}', now() - n * interval '1 second'
     from generate_series(1, 200000) n`,
    `insert into marketplace.product (id, name, description, product_type, cta_type, request_fields, is_active, sort_order,
       created_at, updated_at)
     select ${id('n')}, 'P' || n, '', 'misc', 'form', '[]', true, n, now(), now() from generate_series(1, 100) n`,
    `insert into marketplace.access_request (id, product_id, user_id, full_name, email, answers, status, submissions,
       created_at, updated_at)
     select ${id('n')}, ${id('1 + n % 100')}, ${id('n / 10')}, 'Ada ' || n, 'm' || n || '@example.com', '[]',
       case when n % 50 = 0 then 'pending' else 'approved' end, 1, now(), now() - n * interval '1 second' from ${MILLION}`,
  ],
  educators: [
    `insert into educators.educator (id, username, first_name, last_name, permissions, profile, searchable, is_educator,
       is_active, educator_since, created_at, updated_at)
     select ${id('n')}, 'e' || n, 'Ed', 'U' || n, '{educator}', '{}', 'ed u' || n || ' e' || n, true, true, now(), now(), now()
     from generate_series(1, 20000) n`,
    `insert into educators.announcement (id, educator_id, title, content, category, priority, pinned, tags, multimedia,
       created_at, updated_at)
     select ${id('n')}, ${id('1 + n % 20000')}, 'News', repeat('x', 200), '', 'normal', n % 40000 = 7, '{}', '[]', now(), now()
     from ${MILLION}`,
    `insert into educators.tally (educator_id, announcements) select ${id('n')}, 50 from generate_series(1, 20000) n`,
    `update educators.tally set newest_id =
       (select max(id) from educators.announcement where educator_id = tally.educator_id)`,
    `insert into educators.follow (user_id, educator_id, followed_at)
     select ${id('n / 50')}, ${id('1 + (n::bigint * 7919) % 20000')}, now() from ${MILLION} on conflict do nothing`,
    `insert into educators.announcement_like select ${id('n % 20000')}, ${id('n / 7')}, now() from ${MILLION}
     on conflict do nothing`,
    `insert into educators.comment select ${id('n')}, ${id('1 + n % 100000')}, ${id('n % 50000')}, 'Thank you', now()
     from ${MILLION}`,
    `insert into educators.story (id, educator_id, media_type, media_url, duration, created_at, expires_at)
     select ${id('n')}, ${id('1 + n % 20000')}, 'image', 'https://example.com/a.png', 0, now(), now() + interval '1 day'
     from generate_series(1, 100000) n`,
    `insert into educators.story_view select ${id('1 + n % 100000')}, ${id('n / 20')}, now() from ${MILLION}
     on conflict do nothing`,
  ],
};
const FOLDERS: Record<string, string[]> = {
  indicators: ['indicators', 'marketplace'],
  educators: ['educators'],
};
/** Tables that stay small, or that a job reads as a whole. */
const SMALL = new Set(['indicator', 'product', 'account', 'tally', 'reference', 'educator']);

const part = process.argv[2] ?? 'indicators';
const folders = FOLDERS[part];
if (!folders) throw new Error(`no part ${part}: ${Object.keys(FOLDERS).join(', ')}`);

const declared: Text[] = [];
diagnostics.subscribe(STATEMENT_DECLARED, (message) => declared.push(message as Text));
// Imported late, because it loads the whole platform, whose statements are declared when they are loaded.
const { onMigratedDatabase } = await import('./planning.ts');
for (const name of folders)
  for (const file of globSync(`src/modules/${name}/**/*.store.ts`)) await import(pathToFileURL(file).href);
const { texts } = sqlTexts();
const others = texts
  .filter(
    ({ at, text }) =>
      folders.some((name) => at.startsWith(`src/modules/${name}/`)) &&
      /^\s*(select|with|insert|update|delete)/.test(text),
  )
  .map(({ at, text }) => ({ name: at.replace('src/modules/', ''), text }));

/** Returns the ways in which a plan reads tables. */
function scansOf(node: Node): string[] {
  const own = node['Relation Name'] ?? '';
  const type = node['Node Type'];
  const isScan = type.includes('Scan') && type !== 'Bitmap Index Scan' && own !== '';
  const byIndex = type === 'Bitmap Index Scan' ? [String(node['Index Name'])] : [];
  const mark = type === 'Seq Scan' && !SMALL.has(own) ? '!! ' : '';
  const scan =
    isScan && type !== 'Bitmap Heap Scan' ? [node['Index Name'] ?? `${mark}whole ${own}`] : byIndex;
  return [...scan, ...(node.Plans ?? []).flatMap(scansOf)];
}

const ofPart = declared.filter(({ name }) => folders.some((folder) => name.startsWith(`${folder}.`)));

await onMigratedDatabase(async (client) => {
  await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  for (const text of FILL[part] as string[]) await client.query(text);
  await client.query('vacuum analyze');
  for (const { name, text } of [...ofPart, ...others]) {
    // Uses the simple protocol, because the parameters of the statement have no values.
    const explained = await client
      .query(`explain (generic_plan, format json) ${text}`)
      .catch((error: Error) => error);
    if (explained instanceof Error) {
      console.log(`${name} | ${explained.message}`);
      continue;
    }
    const [{ Plan }] = explained.rows[0]['QUERY PLAN'];
    console.log(`${name} | ${[...new Set(scansOf(Plan))].join(', ') || 'no table is read'}`);
  }
});
