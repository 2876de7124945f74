import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { to } from '../router.ts';
import { because, shortId } from '../text.ts';

type Tone = 'info' | 'ok' | 'warn' | 'bad';

/** A fact about the page. `appears` says that it came after an act, so that it is announced. */
export const Note = ({
  tone,
  appears = false,
  children,
}: {
  tone: Tone;
  appears?: boolean;
  children: ComponentChildren;
}) => (
  <div class={`note ${tone}`} role={appears ? 'alert' : undefined}>
    <span class="mark" aria-hidden="true" />
    <div>{children}</div>
  </div>
);

/** Says what failed and why, with the id under which operators find it. */
export const Failed = ({ what, error, retry }: { what: string; error: unknown; retry?: () => void }) => (
  <Note tone="bad" appears>
    <strong>{what}.</strong> {because(error)}.{' '}
    {isPlatformError(error) && error.errorId && (
      <>
        <a href={to(`/errors/${error.errorId}`)}>Error {shortId(error.errorId)}</a>{' '}
      </>
    )}
    {retry && (
      <button type="button" class="plain" onClick={retry}>
        Try now
      </button>
    )}
  </Note>
);
