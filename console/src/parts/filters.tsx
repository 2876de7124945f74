import { useEffect, useRef } from 'preact/hooks';
import { dayOf, instantOfDay } from '../days.ts';
import { go, to, usePlace } from '../router.ts';
import { shortId } from '../text.ts';
import { Icon } from './icon.tsx';

/** A filter of a list. The address holds its value under `name`. */
export type Filter =
  | { kind: 'search'; name: string; label: string }
  | { kind: 'choice'; name: string; label: string; values: [value: string, text: string][]; none?: string }
  /** A day of the operator's time zone: its beginning, or its end. */
  | { kind: 'date'; name: string; label: string; isEnd?: boolean }
  /** Can be set only by links, such as the one from a member to their transactions. */
  | { kind: 'link'; name: string; label: string };

/** A choice of how many of the last days to show: 30 by default, or one of `values`. */
export const periodFilter = (name: string, values: [value: string, text: string][]): Filter => ({
  kind: 'choice',
  name,
  label: 'Period',
  none: '30 days',
  values,
});

/** The values of these filters in an address, as the platform takes them: days become instants. */
export const valuesOf = (filters: Filter[], query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap((filter) => {
      const value = query[filter.name];
      if (!value) return [];
      return [[filter.name, filter.kind === 'date' ? instantOfDay(value, filter.isEnd) : value]];
    }),
  );

const TYPING_MS = 250;

/** Whether there is room for all filters in a row. */
const isWide = (): boolean => matchMedia('(width >= 640px)').matches;

/**
 * The filters of a list. The address holds their values: typing replaces the history entry, a choice adds one, and each
 * change goes back to the first page.
 */
export function Filters({ of }: { of: Filter[] }) {
  const { path, query } = usePlace();
  const search = of.find((filter) => filter.kind === 'search');
  const others = of.filter((filter) => filter.kind !== 'search');
  const active = of.filter(({ name }) => query[name]);
  const change = (name: string, value: string, replace: boolean) => {
    const { page: _page, before: _before, ...rest } = query;
    go(to(path, { ...rest, [name]: value }), { replace });
  };
  const without = { ...query, page: undefined, before: undefined };
  for (const { name } of of) without[name as 'page'] = undefined;
  const visible = others.filter(({ kind, name }) => kind !== 'link' || query[name]);
  return (
    <search class="filters">
      {search && <SearchBox filter={search} text={query[search.name] ?? ''} change={change} />}
      {visible.length > 0 && (
        <details open={isWide()}>
          <summary>Filters{active.length > 0 && ` (${active.length})`}</summary>
          {visible.map((filter) => (
            <Pill key={filter.name} filter={filter} value={query[filter.name] ?? ''} change={change} />
          ))}
        </details>
      )}
      {active.length > 0 && (
        <a class="clear" href={to(path, without)}>
          Clear
        </a>
      )}
    </search>
  );
}

interface Part {
  filter: Filter;
  change: (name: string, value: string, replace: boolean) => void;
}

function SearchBox({ filter: { name, label }, text, change }: Part & { text: string }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(text);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => {
      removeEventListener('keydown', focus);
      clearTimeout(timer.current);
    };
  }, []);

  // Back changes the address and therefore `text`. A text that was typed here is in the box already.
  useEffect(() => {
    if (input.current && text !== sent.current) input.current.value = text;
    sent.current = text;
  }, [text]);

  return (
    <label class="search">
      <Icon name="search" />
      <span class="hidden">{label}</span>
      <input
        ref={input}
        type="search"
        placeholder={label}
        defaultValue={text}
        maxLength={200}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            sent.current = value.trim();
            change(name, sent.current, true);
          }, TYPING_MS);
        }}
      />
    </label>
  );
}

function Pill({ filter, value, change }: Part & { value: string }) {
  const { kind, name, label } = filter;
  if (kind === 'link')
    return (
      <span class="pill set">
        {label} <b title={value}>{shortId(value)}</b>
        <button
          type="button"
          class="bare"
          aria-label={`Without ${label}`}
          onClick={() => change(name, '', false)}
        >
          ×
        </button>
      </span>
    );
  return (
    <label class={value ? 'pill set' : 'pill'}>
      {label}
      {kind === 'choice' ? (
        <select value={value} onChange={(event) => change(name, event.currentTarget.value, false)}>
          <option value="">{filter.none ?? 'any'}</option>
          {filter.values.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="date"
          value={value && dayOf(value)}
          onChange={(event) => change(name, event.currentTarget.value, false)}
        />
      )}
    </label>
  );
}
