import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { to } from '../router.ts';
import { age, count, initials, localTime, relative, shortId, utc } from '../text.ts';
import { Icon } from './icon.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

/** A state in a word; its shape says the tone, too. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`tag ${tone}`}>
    <span class="mark" aria-hidden="true" />
    {children}
  </span>
);

/** What a row is about, and below it a line of what it says. */
export const Titled = ({ title, below }: { title: string; below: string | null | undefined }) => (
  <>
    <strong>{title}</strong>
    <small class="long">{below}</small>
  </>
);

/** A time as people say it; the whole time, here and in UTC, on hover. */
export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${localTime(at)} · ${utc(at)}`}>
      {relative(at)}
    </time>
  ) : null;

/** How long something has been waiting; the time itself on hover. */
export const Age = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${localTime(at)} · ${utc(at)}`}>
      {age(at)}
    </time>
  ) : null;

/** A number of Keys; nothing where there is none. */
export const Keys = ({ of }: { of: number | null | undefined }) =>
  of === null || of === undefined ? null : <strong>{count(of)}</strong>;

/** The few most important numbers of a page; each leads to what it counts. */
export const Figures = ({ of }: { of: Figure[] }) => (
  <dl class="card figures">
    {of.map(({ label, value, below, href, tone, extra }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd class={tone}>
          {href ? <a href={href}>{value}</a> : value}
          {extra}
        </dd>
        {below && <dd class="below">{below}</dd>}
      </div>
    ))}
  </dl>
);

interface Figure {
  label: string;
  value: string;
  below?: string | undefined;
  href?: string | undefined;
  tone?: Tone | undefined;
  extra?: ComponentChildren;
}

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

/** An e-mail address, which is broken before its host if anywhere. */
const Address = ({ of }: { of: string }) => {
  const at = of.lastIndexOf('@');
  return (
    <small>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </small>
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
      {email && <Address of={email} />}
    </span>
  </span>
);
