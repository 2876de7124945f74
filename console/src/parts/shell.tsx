import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { answeredAt } from '../api.ts';
import { doAtOnce, lastAction } from '../last-action.ts';
import { PAGES, pageAt } from '../pages.ts';
import { to, usePlace } from '../router.ts';
import { SECTIONS, type Section } from '../sections.ts';
import { mayDo, type Session, type SignedIn, signOut } from '../session.ts';
import { useStore } from '../store.ts';
import { count, initials } from '../text.ts';
import { toggleTheme } from '../theme.ts';
import { useWaiting } from '../worklists.ts';
import { Icon } from './icon.tsx';
import { openPalette, Palette } from './palette.tsx';

export const Environment = ({ name }: { name: string }) => (
  <span class={name === 'production' ? 'environment production' : 'environment'}>{name}</span>
);

export const Brand = () => (
  <span class="brand">
    <span class="logo">
      <Icon name="key" />
    </span>
    Platform API
  </span>
);

/** The frame around all pages: the sidebar, the top bar and the main area. */
export function Shell({ session, children }: { session: SignedIn; children: ComponentChildren }) {
  const { path } = usePlace();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: true });
    document.getElementById('sidebar')?.hidePopover?.();
    // The result of an action that led to this page, such as deleting a record, is kept and shown here.
    if (lastAction.get()?.path !== location.pathname) lastAction.set(undefined);
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Sidebar session={session} />
      <Top session={session} />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Palette session={session} />
    </div>
  );
}

/** The first page of a section that the operator may see. */
const entryOf = (section: Section, session: Session) =>
  PAGES.find(
    ({ section: name, tab, needs = [] }) => name === section.name && tab && mayDo(session, ...needs),
  );

function Sidebar({ session }: { session: SignedIn }) {
  const { path } = usePlace();
  const waiting = useWaiting();
  const current = pageAt(path)?.page.section;
  const entries = (isSystem: boolean) =>
    SECTIONS.filter((section) => Boolean(section.isSystem) === isSystem).flatMap((section) => {
      const page = entryOf(section, session);
      if (!page) return [];
      const number = waiting[section.name];
      return (
        <li key={section.name}>
          <a href={to(page.path)} aria-current={section.name === current ? 'page' : undefined}>
            <Icon name={section.icon} />
            {section.name}
            {number ? (
              <span class="number">
                {count(number)}
                <span class="hidden"> waiting</span>
              </span>
            ) : null}
          </a>
        </li>
      );
    });
  const system = entries(true);
  return (
    <nav id="sidebar" popover="auto" aria-label="Pages">
      <Brand />
      <ul>{entries(false)}</ul>
      {system.length > 0 && (
        <>
          <h2>System</h2>
          <ul>{system}</ul>
        </>
      )}
    </nav>
  );
}

const Top = ({ session }: { session: SignedIn }) => (
  <header class="top">
    <button type="button" class="menu" popovertarget="sidebar" aria-label="Menu">
      <Icon name="menu" />
    </button>
    <button type="button" class="opens-palette" onClick={openPalette}>
      <Icon name="search" />
      <span>
        Search<i> members, ids, e-mails, pages</i>
      </span>
      <kbd>Ctrl K</kbd>
    </button>
    <span class="space" />
    <Updated />
    <Environment name={session.environment} />
    <button type="button" class="bare" aria-label="Change between light and dark" onClick={toggleTheme}>
      <Icon name="theme" />
    </button>
    <button type="button" class="bare face" popovertarget="account" aria-label="Your account">
      {initials(session.user.email)}
    </button>
    <div id="account" popover="auto" class="account">
      <strong>{session.user.email}</strong>
      <small>Version {session.version}</small>
      <a href={to(`/members/${session.user.id}`)}>Your member page</a>
      <button type="button" onClick={() => void doAtOnce('You are still signed in', signOut)}>
        Sign out
      </button>
    </div>
  </header>
);

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

function Updated() {
  const at = useStore(answeredAt);
  return at === undefined ? null : <span class="updated">Updated {clock.format(at)}</span>;
}
