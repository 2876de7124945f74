import { useEffect, useRef } from 'preact/hooks';
import { go, to, usePlace } from '../router.ts';
import { Icon } from './icon.tsx';

/** A filter with a few values, one of which is in the address. */
interface Choice {
  name: string;
  label: string;
  values: [value: string, text: string][];
}

interface FilterParts {
  path: string;
  search?: { label: string };
  choices?: Choice[];
}

const TYPING_MS = 250;

/**
 * The filters of a list, which are in the address. Typed letters replace the entry of the history, choices add one, and
 * each change begins at the first page.
 */
export function Filters({ path, search, choices = [] }: FilterParts) {
  const { query } = usePlace();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const names = [...(search ? ['search'] : []), ...choices.map(({ name }) => name)];
  const isSet = names.some((name) => query[name]);
  const change = (name: string, value: string, replace: boolean) => {
    const { page: _page, before: _before, ...rest } = query;
    go(to(path, { ...rest, [name]: value }), { replace });
  };

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, select, dialog');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  // Back changes the address, and so the text.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = query.search ?? '';
  }, [query.search]);

  return (
    <search class="filters">
      {search && (
        <label class="search">
          <Icon name="search" />
          <span class="hidden">{search.label}</span>
          <input
            ref={input}
            type="search"
            placeholder={search.label}
            defaultValue={query.search ?? ''}
            maxLength={200}
            onInput={({ currentTarget: { value } }) => {
              clearTimeout(timer.current);
              timer.current = setTimeout(() => change('search', value.trim(), true), TYPING_MS);
            }}
          />
        </label>
      )}
      {choices.map(({ name, label, values }) => (
        <label key={name} class={query[name] ? 'pill set' : 'pill'}>
          {label}
          <select
            value={query[name] ?? ''}
            onChange={(event) => change(name, event.currentTarget.value, false)}
          >
            <option value="">any</option>
            {values.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      {isSet && (
        <a class="clear" href={to(path)}>
          Clear
        </a>
      )}
    </search>
  );
}
