import { useMemo } from 'preact/hooks';
import { store, useStore } from './store.ts';

/** The address holds the state of every page, so that reload, Back and shared links show the same. */
const address = store(location.pathname + location.search);

addEventListener('popstate', () => address.set(location.pathname + location.search));

/** Goes to an address of the console. `replace` adds no history entry, for changes such as typing in a filter. */
export function go(url: string, { replace = false } = {}): void {
  if (url === location.pathname + location.search) return;
  const isOtherPage = new URL(url, location.href).pathname !== location.pathname;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  address.set(url);
  if (isOtherPage) scrollTo(0, 0);
}

/** Decodes a percent-encoded part of a URL; undefined if its encoding is invalid. */
export function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export interface Place {
  /** The path after `/console`, such as `/members/66f1…`. */
  path: string;
  query: Record<string, string>;
}

export function usePlace(): Place {
  const url = useStore(address);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(url, location.href);
    return { path: pathname.replace(/^\/console/, '') || '/', query: Object.fromEntries(searchParams) };
  }, [url]);
}

/** Builds the address of a page of the console; parameters without a value are left out. */
export function to(path: string, query: Record<string, string | undefined> = {}): string {
  const set = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(set).toString();
  return `/console${path === '/' ? '' : path}${search && `?${search}`}`;
}

/** Makes clicks on links within the console change the address without reloading the page. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!/^\/console(\/|$)/.test(link.pathname) || link.hash) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
