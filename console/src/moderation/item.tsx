import type { ReportedItem } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { mayBeMuted, muteAction } from '../member/mute-actions.tsx';
import { ActionButton, AtOnce } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { kindOf, PATHS } from '../reported-kinds.ts';
import { to } from '../router.ts';
import { count, nameOf } from '../text.ts';
import { remove } from './actions.tsx';
import { Context } from './context.tsx';
import { EarlierTexts } from './earlier-texts.tsx';

/** How long the buttons of an item that came up by itself wait: the second click of a double click is not for it. */
const LATE_MS = 1_000;

/** What can be decided about an item; `isLate` if it came up by itself after another decision. */
export function Acts({ item, isLate, goOn }: { item: ReportedItem; isLate: boolean; goOn: () => void }) {
  const [isWaiting, setWaiting] = useState(isLate);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (item.status !== 'open')
    return (
      <p>
        <Tag tone="none">{item.status === 'dismissed' ? 'kept' : 'removed'}</Tag>{' '}
        <Time at={item.resolvedAt} />
      </p>
    );
  const keep = async (api: Api) => {
    await api.moderation.resolveReport(item.id, { outcome: 'dismissed' });
    goOn();
    return `Kept the ${kindOf(item.kind)} of ${nameOf(item.author)}.`;
  };
  return (
    <fieldset class="acts" disabled={isWaiting}>
      <ActionButton action={remove(item, goOn)} class="danger" />
      <AtOnce name="Keep" failed="The report was not changed" run={keep} />
      {mayBeMuted(item.authorId) && (
        <ActionButton action={muteAction({ id: item.authorId, name: nameOf(item.author) })} />
      )}
    </fieldset>
  );
}

interface ItemParts {
  item: ReportedItem;
  back: string;
  children: ComponentChildren;
}

/** What was reported, with everybody who reported it and why. */
export const Item = ({ item, back, children }: ItemParts) => (
  <Card
    title={`${nameOf(item.author)}, ${kindOf(item.kind)}`}
    more={
      <a class="back" href={back}>
        Back to the list
      </a>
    }
  >
    <blockquote>{item.text}</blockquote>
    {children}
    <EarlierTexts of={item.earlierTexts} />
    <Context of={item} />
    <Facts
      of={[
        [
          'Author',
          <a key="author" href={to(`/members/${item.authorId}`)}>
            {nameOf(item.author)}
          </a>,
        ],
        [
          'Its page',
          PATHS[item.kind] && (
            <a key="page" href={to(`${PATHS[item.kind]}/${item.subjectId}`)}>
              Open
            </a>
          ),
        ],
        ['Reports', item.reportCount > 1 && count(item.reportCount)],
        ['Note', item.note && `“${item.note}”`],
      ]}
    />
    <Reports of={item} />
  </Card>
);

const Reports = ({ of: item }: { of: ReportedItem }) => {
  const shown = [{ ...item, text: null }, ...item.earlier];
  return (
    <ul class="timeline" aria-label="Reports of it">
      {shown.map(({ id, reason, reporter, createdAt, text }) => (
        <li key={id} class="info">
          “{reason}”
          <small>
            Reported{' '}
            {reporter && (
              <>
                by <a href={to(`/members/${reporter.id}`)}>{nameOf(reporter)}</a>{' '}
              </>
            )}
            · <Time at={createdAt} />
          </small>
          {text !== null && <small class="long">It said then: “{text}”</small>}
        </li>
      ))}
      {item.reportCount > shown.length && (
        <li class="none dim">{count(item.reportCount - shown.length)} earlier ones are not shown.</li>
      )}
    </ul>
  );
};
