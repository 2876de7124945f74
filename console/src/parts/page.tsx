import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { done, type Outcome } from '../done.ts';
import { to, usePlace } from '../router.ts';
import { useStore } from '../store.ts';
import { count } from '../text.ts';
import { Failed, Note } from './note.tsx';
import { Tag } from './values.tsx';

interface PageParts {
  title: string;
  /** The way up, for pages about one thing. */
  above?: { href: string; text: string };
  /** Beside the title: a count, an id, a state. */
  beside?: ComponentChildren;
  /** Before the title, such as a picture. */
  before?: ComponentChildren;
  acts?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: its heading, what can be done, what was last done, and its parts. */
export function Page({ title, above, beside, before, acts, children }: PageParts) {
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
        <div class="acts">{acts}</div>
      </header>
      {!above && <Sections />}
      <LastDone />
      {children}
    </>
  );
}

/** The pages of the same part of the console, which are the tabs below its headings. */
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
  count?: number | undefined;
}

/** Tabs in a row, which scrolls to the current one where they do not all fit. */
export function Tabs({ label, of }: { label: string; of: Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  const current = of.find(({ isCurrent }) => isCurrent)?.href;
  const texts = of.map(({ text, count: number }) => `${text} ${number}`).join();
  // A count that has come makes a tab wider.
  useLayoutEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && tab)
      nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2;
  }, [current, texts]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {of.map(({ href, text, isCurrent, count: number }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text} {number !== undefined && <span class="dim">{count(number)}</span>}
        </a>
      ))}
    </nav>
  );
}

/** What was done on this page last, which stays until the page is left. */
function LastDone() {
  const last = useStore(done);
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
