import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lastAction, type Outcome } from '../last-action.ts';
import { to, usePlace } from '../router.ts';
import { useStore } from '../store.ts';
import { count } from '../text.ts';
import { Failed, Note } from './note.tsx';
import { Tag } from './values.tsx';

interface PageParts {
  title: string;
  /** The list that a page about a single record belongs to, for the breadcrumb. */
  above?: { href: string; text: string };
  /** Shown beside the title, such as a count, an id or a state. */
  beside?: ComponentChildren;
  /** Shown before the title, such as a picture. */
  before?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of a page: heading, actions, tabs and the result of the last action. */
export function Page({ title, above, beside, before, actions, children }: PageParts) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <>
      {above && (
        <nav class="above" aria-label="Breadcrumb">
          <a href={above.href}>{above.text}</a> / {title}
        </nav>
      )}
      <header class="head">
        {before}
        <h1>{title}</h1>
        <div class="beside">{beside}</div>
        <div class="acts">{actions}</div>
      </header>
      {!above && <Sections />}
      <LastDone />
      {children}
    </>
  );
}

/** The pages of the current section, which are shown as tabs below the heading. */
export const Siblings = createContext<{ path: string; tab?: string }[]>([]);

function Sections() {
  const { path } = usePlace();
  const tabs = useContext(Siblings);
  if (tabs.length < 2) return null;
  return (
    <Tabs
      label="Parts"
      of={tabs.map(({ path: own, tab = '' }) => ({ href: to(own), text: tab, isCurrent: own === path }))}
    />
  );
}

interface Tab {
  href: string;
  text: string;
  isCurrent: boolean;
  /** A number, or a text such as "20+". */
  count?: number | string | undefined;
}

/** A row of tabs. If they do not all fit, it scrolls to the current one. */
export function Tabs({ label, of }: { label: string; of: Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  const current = of.find(({ isCurrent }) => isCurrent)?.href;
  const texts = of.map(({ text, count: number }) => `${text} ${number}`).join();
  // A tab gets wider when its count has been loaded.
  useLayoutEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && tab)
      nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2;
  }, [current, texts]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {of.map(({ href, text, isCurrent, count: number }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}{' '}
          {number !== undefined && (
            <span class="dim">{typeof number === 'number' ? count(number) : number}</span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** The result of the last action on this page. */
function LastDone() {
  const last = useStore(lastAction);
  const { path } = usePlace();
  if (!last || last.path !== `/console${path === '/' ? '' : path}`) return null;
  if ('failed' in last) return <Failed what={last.failed} error={last.error} />;
  return (
    <>
      <Note tone={last.outcomes?.some(({ isFailed }) => isFailed) ? 'warn' : 'ok'} appears>
        {last.sentence}
      </Note>
      {last.outcomes && <Outcomes of={last.outcomes} />}
    </>
  );
}

const Outcomes = ({ of }: { of: Outcome[] }) => (
  <details class="card outcomes" open={of.some(({ isFailed }) => isFailed)}>
    <summary>What became of each</summary>
    <ul>
      {of.map(({ key, name, text, isFailed }) => (
        <li key={key}>
          <span>{name}</span>
          <Tag tone={isFailed ? 'bad' : 'ok'}>{text}</Tag>
        </li>
      ))}
    </ul>
  </details>
);
