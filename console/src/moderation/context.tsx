import { getReportContext, type ReportContext, type ReportedItem } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { Facts } from '../parts/card.tsx';
import { Failed } from '../parts/note.tsx';
import { Loading } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { KINDS, PATHS } from '../reported-kinds.ts';
import { to } from '../router.ts';
import { nameOf } from '../text.ts';
import { EarlierTexts } from './earlier-texts.tsx';

type Place = NonNullable<ReportContext['place']>;
type Entry = ReportContext['entries'][number];

/** What stands around a reported item; read when a moderator opens it, since the audit log may record that. */
export function Context({ of: item }: { of: ReportedItem }) {
  const [isOpen, setOpen] = useState(false);
  if (!KINDS[item.kind]?.isAmongOthers) return null;
  return (
    <details class="context" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Context{' '}
        {item.kind === 'message' && (
          <span class="dim">In a chatroom that is not public, opening it is recorded in the audit log.</span>
        )}
      </summary>
      {isOpen && <Surroundings of={item} />}
    </details>
  );
}

const Surroundings = ({ of: item }: { of: ReportedItem }) => {
  const { data, error, reload } = useQuery(item.subjectId, (by, signal) =>
    by.call(getReportContext, { params: { reportId: item.id } }, { signal }),
  );
  if (!data)
    return error === undefined ? (
      <Loading />
    ) : (
      <Failed what="The context could not be read" error={error} retry={reload} />
    );
  const isSubject = ({ id }: Entry) => id === item.subjectId;
  const isGone = !data.entries.some(isSubject);
  // Ids begin with the time at which they were made.
  const [before, after] = [
    data.entries.filter(({ id }) => id < item.subjectId),
    data.entries.filter(({ id }) => id > item.subjectId),
  ];
  return (
    <>
      {data.place ? <Where place={data.place} /> : <p class="empty">What it stood in is gone.</p>}
      {data.earlierTexts.some(({ text }, place) => text !== item.earlierTexts[place]?.text) && (
        <EarlierTexts of={data.earlierTexts} />
      )}
      <ul class="timeline" aria-label="Context">
        {(isGone ? before : data.entries).map((one) => (
          <Said key={one.id} entry={one} isSubject={isSubject(one)} />
        ))}
        {isGone && (
          <li class="bad">
            <Tag tone="bad">reported</Tag> <span class="dim">It is gone since.</span>
          </li>
        )}
        {isGone && after.map((one) => <Said key={one.id} entry={one} isSubject={false} />)}
      </ul>
    </>
  );
};

const Where = ({ place: { kind, id, name, text, type, author } }: { place: Place }) => {
  const path = PATHS[kind];
  const title = kind === 'post' ? `Post in ${name}` : name;
  const isText = kind === 'post' || kind === 'announcement';
  return (
    <Facts
      of={[
        [
          'Stands in',
          <span key="in">
            {path ? <a href={to(`${path}/${id}`)}>{title}</a> : title}
            {kind !== 'post' && `, ${type ? `${type} ` : ''}${kind}`}
          </span>,
        ],
        [isText ? 'Author' : 'Owner', <Name key="of" of={author} />],
        [isText ? 'Says' : 'Description', text.slice(0, 500)],
      ]}
    />
  );
};

const Name = ({ of }: { of: Place['author'] }) => <a href={to(`/members/${of.id}`)}>{nameOf(of)}</a>;

const Said = ({ entry, isSubject }: { entry: Entry; isSubject: boolean }) => (
  <li class={isSubject ? 'bad' : 'none'}>
    <span class="said">{entry.text ?? <em class="dim">Deleted</em>}</span>
    <small>
      <Name of={entry.user} /> · <Time at={entry.createdAt} />
      {entry.editedAt && ' · edited'} {isSubject && <Tag tone="bad">reported</Tag>}
    </small>
  </li>
);
