import { listTroubledVideos, type TroubledVideo } from '@platform-api/sdk';
import { AtOnce } from '../parts/action.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Person, Tag, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { nameOf, plural } from '../text.ts';

const titleOf = ({ lesson }: TroubledVideo): string => lesson?.title ?? 'a deleted lesson';

const COLUMNS: Column<TroubledVideo>[] = [
  {
    head: 'Lesson',
    isText: true,
    cell: (row) => (
      <>
        <strong>{titleOf(row)}</strong>
        {row.lesson && <small>{row.lesson.courseTitle}</small>}
      </>
    ),
  },
  { head: 'Educator', cell: ({ educator }) => <Person id={educator.id} name={nameOf(educator)} /> },
  {
    head: 'State',
    cell: ({ status, progress }) =>
      status === 'failed' ? <Tag tone="bad">failed</Tag> : <Tag tone="warn">{`stuck at ${progress} %`}</Tag>,
  },
  {
    head: 'Why',
    isText: true,
    cell: ({ error, attempts }) => (
      <>
        {error ? error.message : 'Its job waits, or its worker is slow.'}
        <small>
          {error && `${error.code} · `}
          {plural(attempts, 'try', 'tries')}
        </small>
      </>
    ),
  },
  { head: 'Uploaded', cell: ({ createdAt }) => <Age at={createdAt} /> },
  {
    head: 'What helps',
    cell: (row) => <WhatHelps of={row} />,
  },
];

/** Another attempt, while that can help; otherwise what else does. */
function WhatHelps({ of }: { of: TroubledVideo }) {
  const { lesson, retryableUntil, status } = of;
  if (status === 'processing') return <a href={to('/jobs/media.process-video')}>See the jobs</a>;
  if (!lesson || !retryableUntil) return <>Another upload by the educator</>;
  return (
    <>
      <AtOnce
        name="Retry"
        failed={`The video of ${lesson.title} is not prepared again`}
        run={async (api) => {
          await api.lessons.retryVideo(lesson.id);
          return `The video of ${lesson.title} is being prepared again.`;
        }}
      />
      <small>
        the file is removed <Time at={retryableUntil} />
      </small>
    </>
  );
}

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    none: 'all',
    values: [
      ['failed', 'failed'],
      ['processing', 'stuck for an hour'],
    ],
  },
];

export default function Videos() {
  return (
    <Page title="Content">
      <Listing
        operation={listTroubledVideos}
        filters={FILTERS}
        pollMs={30_000}
        what="The videos"
        caption="Videos that failed or are stuck, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No video waits here: all that were uploaded are ready or being prepared."
        file="videos"
      />
    </Page>
  );
}
