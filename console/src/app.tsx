import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SignIn, SignInAgain } from './pages/sign-in.tsx';
import { type PageEntry, pageAt, tabsOf } from './pages.ts';
import { Note } from './parts/note.tsx';
import { Page, Siblings } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';
import { Loading } from './parts/table.tsx';
import { to, usePlace } from './router.ts';
import { mayDo, readSession, type SignedIn, session } from './session.ts';
import { useStore } from './store.ts';

/**
 * The sign-in or, at the same address once somebody is signed in, the page of the address. A page whose sign-in has ended
 * stays behind the sign-in with what was typed into it, for the same member.
 */
export function App() {
  const current = useStore(session);
  const former = useRef<SignedIn>(undefined);
  if (current.state === 'signed-in') former.current = current;
  if (current.state === 'unknown') return <Loading />;
  if (current.state === 'unreachable') return <Unreachable />;
  const { current: shown } = former;
  if (!shown) return <SignIn offer={current} />;
  return (
    <>
      <Shell key={shown.user.id} session={shown}>
        <PageOfAddress session={shown} />
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

function PageOfAddress({ session: shown }: { session: SignedIn }) {
  const { path } = usePlace();
  const found = pageAt(path);
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<unknown>();
  const page = found?.page;

  useEffect(() => {
    setError(undefined);
    page?.load().then(
      (module) => setLoaded({ page, component: module.default }),
      (failure) => (isFirstTry() ? location.reload() : setError(failure)),
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
  if (!mayDo(shown, ...(page?.needs ?? []))) return <Lacking page={found.page} />;
  if (error !== undefined)
    return (
      <Note tone="bad" appears>
        <strong>This page could not be loaded.</strong> The platform may have been updated: reload it.
      </Note>
    );
  if (loaded?.page !== page) return <Loading />;
  const { component: Component } = loaded as Loaded;
  return (
    <Siblings value={tabsOf(found.page).filter(({ needs = [] }) => mayDo(shown, ...needs))}>
      <Component key={found.id} id={found.id} />
    </Siblings>
  );
}

const Lacking = ({ page: { tab, section, needs = [] } }: { page: PageEntry }) => (
  <Page title={tab ?? section}>
    <Note tone="info">
      <strong>You lack {needs.join(' or ')}.</strong> An administrator can grant it.
    </Note>
  </Page>
);

const RELOADED = 'console-reloaded';

/** A page of a former release has other names for its parts: it is loaded anew, once a minute at most. */
function isFirstTry(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 60_000) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return true;
}
