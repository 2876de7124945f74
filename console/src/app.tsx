import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SignIn } from './pages/sign-in.tsx';
import { type PageEntry, pageAt } from './pages.ts';
import { Note } from './parts/note.tsx';
import { Page } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';
import { Loading } from './parts/table.tsx';
import { to, usePlace } from './router.ts';
import { readSession, session } from './session.ts';
import { useStore } from './store.ts';

/** The sign-in or, at the same address once somebody is signed in, the page of the address. */
export function App() {
  const current = useStore(session);
  if (current.state === 'unknown') return <Loading />;
  if (current.state === 'unreachable') return <Unreachable />;
  if (current.state === 'signed-out') return <SignIn environment={current.environment} />;
  return (
    <Shell session={current}>
      <PageOfAddress />
    </Shell>
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

function PageOfAddress() {
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
          Nothing is at this address. <a href={to('/')}>Go to the members</a>
        </p>
      </Page>
    );
  if (error !== undefined)
    return (
      <Note tone="bad" appears>
        <strong>This page could not be loaded.</strong> The platform may have been updated: reload it.
      </Note>
    );
  if (loaded?.page !== page) return <Loading />;
  const { component: Component } = loaded as Loaded;
  return <Component key={found.id} id={found.id} />;
}

const RELOADED = 'console-reloaded';

/** A page of a former release has other names for its parts: it is loaded anew, once a minute at most. */
function isFirstTry(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 60_000) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return true;
}
