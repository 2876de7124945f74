import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageEntry } from './page-entry.ts';
import { SignIn, SignInAgain } from './pages/sign-in.tsx';
import { pageAt, tabsOf } from './pages.ts';
import { Note } from './parts/note.tsx';
import { Page, Siblings } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';
import { Loading } from './parts/table.tsx';
import { to, usePlace } from './router.ts';
import { mayDo, readSession, type SignedIn, session } from './session.ts';
import { useStore } from './store.ts';

/**
 * Shows the sign-in form or, once somebody is signed in, the page at the current address. When a sign-in ends, the page
 * stays mounted behind the sign-in dialog, so that the same member finds what they had typed.
 */
export function App() {
  const current = useStore(session);
  const lastSignedIn = useRef<SignedIn>(undefined);
  if (current.state === 'signed-in') lastSignedIn.current = current;
  if (current.state === 'unknown') return <Loading />;
  if (current.state === 'unreachable') return <Unreachable />;
  const { current: shownSession } = lastSignedIn;
  if (!shownSession) return <SignIn offer={current} />;
  return (
    <>
      <Shell key={shownSession.user.id} session={shownSession}>
        <PageOfAddress session={shownSession} />
      </Shell>
      {current.state === 'signed-out' && <SignInAgain offer={current} />}
    </>
  );
}

const Unreachable = () => (
  <main class="alone">
    <Note tone="bad" appears>
      <strong>The platform cannot be reached.</strong> Nothing was changed.{' '}
      <button type="button" class="plain" onClick={() => void readSession()}>
        Try now
      </button>
    </Note>
  </main>
);

type Loaded = { page: PageEntry; component: ComponentType<{ id: string }> };

function PageOfAddress({ session: shownSession }: { session: SignedIn }) {
  const { path } = usePlace();
  const found = pageAt(path);
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<unknown>();
  const page = found?.page;

  useEffect(() => {
    setError(undefined);
    page?.load().then(
      (module) => setLoaded({ page, component: module.default }),
      (failure) => (mayReload() ? location.reload() : setError(failure)),
    );
  }, [page]);

  if (!found)
    return (
      <Page title="No such page">
        <p>
          Nothing is at this address. <a href={to('/')}>Go to the first page</a>
        </p>
      </Page>
    );
  if (!mayDo(shownSession, ...(page?.needs ?? []))) return <MissingPermission page={found.page} />;
  if (error !== undefined)
    return (
      <Note tone="bad" appears>
        <strong>This page could not be loaded.</strong> The platform may have been updated: reload it.
      </Note>
    );
  if (loaded?.page !== page) return <Loading />;
  const { component: Component } = loaded as Loaded;
  return (
    <Siblings value={tabsOf(found.page).filter(({ needs = [] }) => mayDo(shownSession, ...needs))}>
      <Component key={found.id} id={found.id} />
    </Siblings>
  );
}

const MissingPermission = ({ page: { tab, section, needs = [] } }: { page: PageEntry }) => (
  <Page title={tab ?? section}>
    <Note tone="info">
      This page needs the permission {needs.join(' or ')}. An administrator can give it to you.
    </Note>
  </Page>
);

const RELOADED = 'console-reloaded';

/** Whether the page may reload after a failed import, as updates rename the bundles: at most once a minute. */
function mayReload(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 60_000) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return true;
}
