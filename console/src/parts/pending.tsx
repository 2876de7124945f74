import type { ComponentChildren } from 'preact';
import type { Query } from '../query.ts';
import { Failed } from './note.tsx';
import { Page } from './page.tsx';
import { Loading } from './table.tsx';

interface PendingParts {
  title: string;
  above: { href: string; text: string };
  beside?: ComponentChildren;
  /** What is being read, as in "The checkout". */
  what: string;
  of: Pick<Query<unknown>, 'error' | 'reload'>;
}

/** A page about one thing that is being read, or could not be. */
export const Pending = ({ what, of: { error, reload }, ...page }: PendingParts) => (
  <Page {...page}>
    {error === undefined ? (
      <Loading />
    ) : (
      <Failed what={`${what} could not be read`} error={error} retry={reload} />
    )}
  </Page>
);
