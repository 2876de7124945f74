import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { pauseAfter } from '../query.ts';
import { to } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { because, plural, shortId } from '../text.ts';
import { Id } from './values.tsx';

type Tone = 'info' | 'ok' | 'warn' | 'bad';

/** A highlighted message. `appears` makes screen readers announce it, for messages that follow an action. */
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

/** A failure's error id: a link to its report, or for those who may not read that, something to copy and pass on. */
export function ErrorLink({ error }: { error: unknown }) {
  if (!isPlatformError(error) || !error.errorId) return null;
  return mayDo(session.get(), 'admin') ? (
    <a href={to(`/errors/${error.errorId}`)}>Error {shortId(error.errorId)}</a>
  ) : (
    <>
      Error{'\u00a0'}
      <Id id={error.errorId} />
    </>
  );
}

interface FailedParts {
  what: string;
  error: unknown;
  retry?: () => void;
  /** Advice on what to do now, as a sentence. */
  next?: string | undefined;
}

/** Says what failed and why, with the error id and when it will be retried. */
export const Failed = ({ what, error, retry, next }: FailedParts) => {
  const pauseMs = retry && pauseAfter(error);
  return (
    <Note tone={isMissingPermission(error) ? 'info' : 'bad'} appears>
      <strong>{what}.</strong> {because(error)} {next} <ErrorLink error={error} />{' '}
      {pauseMs !== undefined && `It is tried again in ${plural(Math.ceil(pauseMs / 1000), 'second')}. `}
      {retry && !isMissingPermission(error) && (
        <button type="button" class="plain" onClick={retry}>
          Try now
        </button>
      )}
    </Note>
  );
};

/** Whether the request was refused because the operator lacks a permission, which is not a failure. */
const isMissingPermission = (error: unknown): boolean =>
  isPlatformError(error) && error.status === 403 && error.code === 'INSUFFICIENT_PERMISSIONS';

/** The message of an empty list. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <div class="nothing">
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="m4 13 5 5L20 7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
    </svg>
    <p>{children}</p>
  </div>
);
