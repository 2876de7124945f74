import { useState } from 'preact/hooks';
import { to } from '../router.ts';
import { initials, localTime, relative, shortId, utc } from '../text.ts';
import { Icon } from './icon.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

/** A state in a word; its shape says the tone, too. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`tag ${tone}`}>
    <span class="mark" aria-hidden="true" />
    {children}
  </span>
);

/** A time as people say it; the whole time, here and in UTC, on hover. */
export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${localTime(at)} · ${utc(at)}`}>
      {relative(at)}
    </time>
  ) : null;

/** An id that a click copies. */
export const Id = ({ id }: { id: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" class="id" title={id} onClick={copy}>
      <code>{shortId(id)}</code>
      <Icon name="copy" />
      <span class="hidden" role="status">
        {isCopied ? 'copied' : 'copy'}
      </span>
    </button>
  );
};

/** A person as the first cell of a row: the name leads to their page. */
export const Person = ({
  id,
  name,
  email,
}: {
  id: string;
  name: string;
  email?: string | null | undefined;
}) => (
  <span class="person">
    <span class="face" aria-hidden="true">
      {initials(name || 'Erased member')}
    </span>
    <span>
      <a href={to(`/members/${id}`)}>{name || 'Erased member'}</a>
      {email && <small>{email}</small>}
    </span>
  </span>
);
