import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { to } from '../router.ts';
import { age, count, initials, localTime, relative, shortId, utc } from '../text.ts';
import { Icon } from './icon.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

/** A state as a word. Its shape differs by tone, for people who cannot tell the colours apart. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span class={`tag ${tone}`}>
    <span class="mark" aria-hidden="true" />
    {children}
  </span>
);

/** The title of a row with a line of text below. */
export const Titled = ({ title, below }: { title: string; below: string | null | undefined }) => (
  <>
    <strong>{title}</strong>
    <small class="long">{below}</small>
  </>
);

/** A relative time such as "18 min ago"; hovering shows the full time, local and in UTC. */
export const Time = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${localTime(at)} · ${utc(at)}`}>
      {relative(at)}
    </time>
  ) : null;

/** How long something has been waiting; hovering shows the time itself. */
export const Age = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={`${localTime(at)} · ${utc(at)}`}>
      {age(at)}
    </time>
  ) : null;

/** An amount of Keys; empty for null. */
export const Keys = ({ of }: { of: number | null | undefined }) =>
  of === null || of === undefined ? null : <strong>{count(of)}</strong>;

/** The most important numbers of a page, each linked to the records that it counts. */
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

/** A shortened id; a click copies the whole one. */
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

/** An e-mail address; a line break is allowed only before the `@`. */
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

/** A person as the first cell of a row; the name links to their page. */
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
