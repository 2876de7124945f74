import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { PAGES } from '../pages.ts';
import { to, usePlace } from '../router.ts';
import { mayDo, type Session, signOut } from '../session.ts';
import { initials } from '../text.ts';
import { toggleTheme } from '../theme.ts';
import { Icon } from './icon.tsx';

type SignedIn = Extract<Session, { state: 'signed-in' }>;

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

/** What stays on all pages: the sidebar, the top bar, and where the page stands. */
export function Shell({ session, children }: { session: SignedIn; children: ComponentChildren }) {
  const { path } = usePlace();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: true });
    document.getElementById('sidebar')?.hidePopover?.();
  }, [path]);
  const entries = PAGES.filter(({ entry, needs = [] }) => entry && mayDo(session, ...needs));
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav id="sidebar" popover="auto" aria-label="Pages">
        <Brand />
        <ul>
          {entries.map(({ path: own, entry }) => (
            <li key={own}>
              <a href={to(own)} aria-current={isWithin(path, own) ? 'page' : undefined}>
                {entry && <Icon name={entry.icon} />}
                {entry?.text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <header class="top">
        <button type="button" class="menu" popovertarget="sidebar" aria-label="Menu">
          <Icon name="menu" />
        </button>
        <span class="space" />
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
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const isWithin = (path: string, own: string): boolean =>
  own === '/' ? path === '/' : path === own || path.startsWith(`${own}/`);
