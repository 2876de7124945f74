import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { pauseAfter } from '../query.ts';
import { to } from '../router.ts';
import { because, plural, shortId } from '../text.ts';

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

/** The id under which operators find a failure, as a link. */
export const ErrorLink = ({ error }: { error: unknown }) =>
  isPlatformError(error) && error.errorId ? (
    <a href={to(`/errors/${error.errorId}`)}>Error {shortId(error.errorId)}</a>
  ) : null;

interface FailedParts {
  what: string;
  error: unknown;
  retry?: () => void;
  /** What to do now, in a sentence. */
  next?: string | undefined;
}

/** Says what failed and why, with the id under which operators find it, and when it is tried again. */
export const Failed = ({ what, error, retry, next }: FailedParts) => {
  const pauseMs = retry && pauseAfter(error);
  return (
    <Note tone={isLacking(error) ? 'info' : 'bad'} appears>
      <strong>{what}.</strong> {because(error)} {next} <ErrorLink error={error} />{' '}
      {pauseMs !== undefined && `It is tried again in ${plural(Math.ceil(pauseMs / 1000), 'second')}. `}
      {retry && !isLacking(error) && (
        <button type="button" class="plain" onClick={retry}>
          Try now
        </button>
      )}
    </Note>
  );
};

/** Whether it is the right that lacks: nothing has failed. */
const isLacking = (error: unknown): boolean =>
  isPlatformError(error) && error.status === 403 && error.code === 'INSUFFICIENT_PERMISSIONS';

/** What is said where a list has no row. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <div class="nothing">
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="m4 13 5 5L20 7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
    </svg>
    <p>{children}</p>
  </div>
);
