import { type DataExport, isPlatformError } from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Failed } from '../parts/note.tsx';
import { Loading } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';

const TONES = { pending: 'warn', ready: 'ok', failed: 'bad', expired: 'none' } as const;

const beginAction = (id: string): Action => ({
  name: 'Begin export',
  title: 'Export the data of this member',
  confirmLabel: 'Begin export',
  openings: ['asked for by the member, '],
  note: 'They are told by mail when it is ready, and can download it, too. The file is deleted after 24 hours.',
  run: async (form, api) => {
    await api.exports.begin(id, { reason: reasonOf(form) });
    return 'The export is being made.';
  },
});

/** Asks for the second factor, without which the platform does not show the link to the export. */
const showAction = (id: string, reload: () => void): Action => ({
  name: 'Show the export',
  title: 'Show the export of this member',
  confirmLabel: 'Show the export',
  reason: 'none',
  run: async (_form, api) => {
    await api.exports.get(id);
    reload();
    return 'The export can be downloaded.';
  },
});

/** The newest export; null if there is none, `guarded` if its link is shown only after the second factor. */
const newestOf = (read: PromiseLike<DataExport>): PromiseLike<DataExport | 'guarded' | null> =>
  read.then(
    (found) => found,
    (error) => {
      if (isPlatformError(error) && error.status === 404) return null;
      if (isPlatformError(error) && error.code === 'STEP_UP_REQUIRED') return 'guarded';
      throw error;
    },
  );

/** The newest export of a member's data. */
export function Exports({ id }: { id: string }) {
  const { data, error, reload } = useQuery(
    `export ${id}`,
    (by, signal) => newestOf(by.exports.get(id, { signal })),
    { pollMs: 5_000 },
  );
  return (
    <Card title="Export of their data" more={<ActionButton action={beginAction(id)} />}>
      {error !== undefined && <Failed what="The export could not be read" error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading />}
      {data === null && <p class="dim">Nothing was exported lately.</p>}
      {data === 'guarded' && <ActionButton action={showAction(id, reload)} />}
      {data && data !== 'guarded' && <Newest of={data} />}
    </Card>
  );
}

const Newest = ({ of: { status, createdAt, readyAt, expiresAt, url } }: { of: DataExport }) => (
  <>
    <Facts
      of={[
        ['State', <Tag tone={TONES[status]}>{status}</Tag>],
        ['Begun', <Time at={createdAt} />],
        ['Ready', readyAt && <Time at={readyAt} />],
        ['Expires', expiresAt && <Time at={expiresAt} />],
      ]}
    />
    {url && (
      <p>
        <a href={url}>Download the ZIP</a>
      </p>
    )}
  </>
);
