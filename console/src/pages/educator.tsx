import {
  type Announcement,
  deleteAnnouncement,
  deleteStory,
  getEducator,
  listAnnouncements,
  listStories,
  type Story,
  updateAnnouncement,
} from '@platform-api/sdk';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, ActionButton, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Failed } from '../parts/note.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { Id, Tag, Time, Titled } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count, nameOf } from '../text.ts';

const above = { href: to('/educators'), text: 'Educators' };

const edit = ({ id, title, content, updatedAt }: Announcement): Action => ({
  name: 'Edit',
  title: `Edit ${title}`,
  confirmLabel: 'Save',
  reason: 'told',
  fields: (
    <>
      <Field label="Title">
        <input name="title" defaultValue={title} maxLength={200} required />
      </Field>
      <Field label="Text">
        <textarea name="content" defaultValue={content} rows={6} maxLength={10_000} required />
      </Field>
    </>
  ),
  run: async (form, api) => {
    const typed = { title: textOf(form, 'title'), content: textOf(form, 'content') };
    const changed = changedIn({ title, content }, typed);
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const body = { ...changed, expectedUpdatedAt: updatedAt, reason: reasonOf(form) };
    await api.call(updateAnnouncement, { params: { announcementId: id }, body });
    return `Saved ${typed.title}.`;
  },
});

const removeAnnouncement = ({ id, title }: Announcement): Action => ({
  name: 'Delete',
  title: `Delete ${title}`,
  confirmLabel: 'Delete announcement',
  isDangerous: true,
  reason: 'told',
  note: 'Its comments go with it. This cannot be undone.',
  run: async (form, api) => {
    await api.call(deleteAnnouncement, { params: { announcementId: id }, body: { reason: reasonOf(form) } });
    return `Deleted ${title}.`;
  },
});

const removeStory = ({ id }: Story): Action => ({
  name: 'Delete',
  title: 'Delete the story',
  confirmLabel: 'Delete story',
  isDangerous: true,
  reason: 'told',
  note: 'This cannot be undone.',
  run: async (form, api) => {
    await api.call(deleteStory, { params: { storyId: id }, body: { reason: reasonOf(form) } });
    return 'Deleted the story.';
  },
});

const Announcements = ({ id }: { id: string }) => (
  <Listing
    operation={listAnnouncements}
    params={{ educatorId: id }}
    what="The announcements"
    caption="Announcements, newest first"
    keyOf={(row) => row.id}
    empty="Nothing was announced."
    file="announcements"
    columns={[
      {
        head: 'Announcement',
        isText: true,
        cell: ({ title, content }) => <Titled title={title} below={content} />,
      },
      { head: 'Kind', cell: ({ category }) => category },
      {
        head: 'Priority',
        cell: ({ priority, pinned }) => <Tag tone="none">{pinned ? `${priority}, pinned` : priority}</Tag>,
      },
      { head: 'Likes', isNumber: true, cell: ({ reactions }) => count(reactions.likes) },
      { head: 'Comments', isNumber: true, cell: ({ reactions }) => count(reactions.comments) },
      { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
      {
        head: '',
        cell: (row) => (
          <>
            <ActionButton action={edit(row)} />
            <ActionButton action={removeAnnouncement(row)} />
          </>
        ),
      },
    ]}
  />
);

const Stories = ({ id }: { id: string }) => (
  <Listing
    operation={listStories}
    params={{ educatorId: id }}
    what="The stories"
    caption="Stories that have not ended"
    keyOf={(row) => row.id}
    empty="No story is shown now."
    columns={[
      {
        head: 'Story',
        isText: true,
        cell: ({ mediaType, mediaUrl }) => (
          <a href={mediaUrl} target="_blank" rel="noreferrer">
            {mediaType}
          </a>
        ),
      },
      { head: 'Views', isNumber: true, cell: ({ viewCount }) => count(viewCount) },
      { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { head: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
      { head: '', cell: (row) => <ActionButton action={removeStory(row)} /> },
    ]}
  />
);

export default function EducatorPage({ id }: { id: string }) {
  const { tab = '' } = usePlace().query;
  const { data, error, reload } = useQuery(id, (by, signal) =>
    by.call(getEducator, { params: { educatorId: id } }, { signal }),
  );
  const title = data ? nameOf(data) : 'Educator';
  return (
    <Page
      title={title}
      above={above}
      beside={
        <>
          <Id id={id} /> <a href={to(`/members/${id}`)}>Member page</a>
        </>
      }
    >
      {error !== undefined && <Failed what="The educator could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      <Tabs
        label="Of this educator"
        of={[
          { href: to(`/educators/${id}`), text: 'Announcements', isCurrent: !tab },
          { href: to(`/educators/${id}`, { tab: 'stories' }), text: 'Stories', isCurrent: tab === 'stories' },
        ]}
      />
      {tab === 'stories' ? <Stories id={id} /> : <Announcements id={id} />}
    </Page>
  );
}
