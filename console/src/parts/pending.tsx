import type { ComponentChildren } from 'preact';
import { isMissing, type Query } from '../query.ts';
import { because } from '../text.ts';
import { Failed, Note } from './note.tsx';
import { Page } from './page.tsx';
import { Loading } from './table.tsx';

interface PendingParts {
  title: string;
  above: { href: string; text: string };
  beside?: ComponentChildren;
  /** What is being read, such as "The checkout". */
  what: string;
  of: Pick<Query<unknown>, 'error' | 'reload'>;
}

/** The page of a single record while it is loading, or if it does not exist or could not be read. */
export const Pending = ({ what, of: { error, reload }, ...page }: PendingParts) => (
  <Page {...page}>
    {error === undefined ? (
      <Loading />
    ) : isMissing(error) ? (
      <Note tone="info">{because(error)} The id is wrong, or it was deleted meanwhile.</Note>
    ) : (
      <Failed what={`${what} could not be read`} error={error} retry={reload} />
    )}
  </Page>
);
