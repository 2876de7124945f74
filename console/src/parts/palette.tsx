import { type FoundRecord, listMembers, search } from '@platform-api/sdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { PAGES } from '../pages.ts';
import { go, to, usePlace } from '../router.ts';
import { mayDo, type SignedIn } from '../session.ts';
import { store, useStore } from '../store.ts';
import { because, nameOf, plain } from '../text.ts';
import { Icon, type IconName } from './icon.tsx';

const isOpen = store(false);
export const openPalette = (): void => isOpen.set(true);

interface Hit {
  group: string;
  icon: IconName;
  title: string;
  beside?: string | undefined;
  href: string;
}

const GROUPS: Record<
  FoundRecord['type'],
  [group: string, icon: IconName, path: (found: FoundRecord) => string]
> = {
  user: ['Members', 'members', ({ id }) => to(`/members/${id}`)],
  transaction: ['Money', 'money', ({ id }) => to(`/transactions/${id}`)],
  withdrawal: ['Money', 'money', ({ id }) => to(`/transactions/${id}`)],
  checkout: ['Money', 'money', ({ id }) => to(`/checkouts/${id}`)],
  error: ['Errors', 'errors', ({ id }) => to(`/errors/${id}`)],
  session: ['Members', 'members', ({ userId }) => to(`/members/${userId}`, { tab: 'sessions' })],
  grant: ['Indicators', 'candles', ({ userId }) => to('/grants', { userId: userId ?? '' })],
  request: ['Marketplace', 'bag', ({ userId }) => to(`/members/${userId}`, { tab: 'grants' })],
  course: ['Content', 'book', courseAt],
  message: ['Moderation', 'flag', ({ userId }) => to(`/members/${userId}`, { tab: 'reports' })],
};

/** The list of the owner's courses. The title of a found course ends with its status, by which the list is filtered. */
function courseAt({ title, userId }: FoundRecord): string {
  return to('/courses', { instructorId: userId ?? '', status: title.split(', ').at(-1) });
}

/** The storage key of an operator's last visits. It contains their id, since others may sign in to the same tab. */
const visitsOf = ({ user }: SignedIn): string => `console-visited-${user.id}`;
const visited = (session: SignedIn): Hit[] => JSON.parse(sessionStorage.getItem(visitsOf(session)) ?? '[]');

/** Remembers the last five visited records, which the palette shows before anything is typed. */
function useVisits(session: SignedIn): void {
  const { path } = usePlace();
  const key = visitsOf(session);
  useEffect(() => {
    if (!/\/[^/]+\/./.test(path)) return;
    const timer = setTimeout(() => {
      const title = document.querySelector('h1')?.textContent ?? path;
      const hit: Hit = { group: 'Last visited', icon: 'chevron', title, href: to(path) };
      const others = visited(session).filter(({ href }) => href !== hit.href);
      sessionStorage.setItem(key, JSON.stringify([hit, ...others].slice(0, 5)));
    }, 1500);
    return () => clearTimeout(timer);
  }, [path, key]);
}

function pagesLike(text: string, session: SignedIn): Hit[] {
  return PAGES.filter(({ tab, needs = [] }) => tab && mayDo(session, ...needs))
    .filter(({ tab, section }) => `${section} ${tab}`.toLowerCase().includes(text.toLowerCase()))
    .slice(0, 6)
    .map(({ path, tab = '', section }) => ({
      group: 'Pages',
      icon: 'chevron',
      title: tab,
      beside: tab === section ? undefined : section,
      href: to(path),
    }));
}

const ACTIONS: [action: string, icon: IconName, beside: string][] = [
  ['Fund', 'money', 'asks for a reason'],
  ['Mute', 'flag', 'asks for a reason'],
  ['Erase', 'members', 'asks for the address'],
];

/** Actions on the member if exactly one was found. Each is a link that opens the action's dialog. */
const actionsOf = (found: FoundRecord[]): Hit[] => {
  const members = found.filter(({ type }) => type === 'user');
  const [member] = members;
  if (!member || members.length > 1) return [];
  return ACTIONS.map(([action, icon, beside]) => ({
    group: 'Actions',
    icon,
    title: `${action} ${plain(member.title)}`,
    beside,
    href: to(`/members/${member.id}`, { act: action.toLowerCase() }),
  }));
};

async function recordsLike(q: string, signal: AbortSignal): Promise<Hit[]> {
  const found = await api.administration.searchRecords({ q }, { signal });
  const hits = found.map((one): Hit => {
    const [group, icon, href] = GROUPS[one.type];
    return { group, icon, title: plain(one.title), beside: one.type, href: href(one) };
  });
  return [...hits, ...actionsOf(found)];
}

/** Finds members for operators who may read nothing but members. */
async function membersLike(text: string, signal: AbortSignal): Promise<Hit[]> {
  const { items } = await api.users.listUsers({ search: text, limit: 8 }, { signal });
  return items.map((user) => ({
    group: 'Members',
    icon: 'members',
    title: nameOf(user),
    beside: user.email,
    href: to(`/members/${user.id}`),
  }));
}

const ID = /^[0-9a-f]{24}$/;

/** Finds members as other members find them, by name, username or id: for moderators, who see no e-mail addresses. */
async function peopleLike(q: string, signal: AbortSignal): Promise<Hit[]> {
  const found = ID.test(q)
    ? []
    : (await api.call(search, { query: { q, type: 'user', limit: 8 } }, { signal })).results;
  const ids = ID.test(q) ? [q] : found.map(({ id }) => id);
  if (ids.length === 0) return [];
  const members = await api.call(listMembers, { query: { ids: ids.join(',') } }, { signal });
  return members.map(({ id, name, username }) => ({
    group: 'Members',
    icon: 'members',
    title: name || username,
    beside: username,
    href: to(`/members/${id}`),
  }));
}

interface Finder {
  find: (text: string, signal: AbortSignal) => Promise<Hit[]>;
  /** How long one pauses before it searches. */
  pauseMs: number;
}

/** How an operator finds records; undefined if they may find none. */
function finderOf(session: SignedIn): Finder | undefined {
  if (mayDo(session, 'admin')) return { find: recordsLike, pauseMs: 150 };
  if (mayDo(session, 'read_users')) return { find: membersLike, pauseMs: 150 };
  // Longer, because these searches are kept in the operator's own history.
  return mayDo(session, 'moderator') ? { find: peopleLike, pauseMs: 500 } : undefined;
}

/**
 * The search for members, money, errors and pages, opened by Ctrl-K. The text field keeps the focus; arrow keys move
 * through the results.
 */
export function Palette({ session }: { session: SignedIn }) {
  useVisits(session);
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return useStore(isOpen) ? <Opened session={session} /> : null;
}

function useHits(text: string, session: SignedIn): { hits: Hit[]; problem: string; isReading: boolean } {
  const [found, setFound] = useState<{ text: string; hits: Hit[]; problem: string }>({
    text: '',
    hits: [],
    problem: '',
  });
  useEffect(() => {
    const finder = finderOf(session);
    if (!text || !finder) return;
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setFound({ text, hits: await finder.find(text, stopped.signal), problem: '' });
      } catch (error) {
        if (!stopped.signal.aborted) setFound({ text, hits: [], problem: because(error) });
      }
    }, finder.pauseMs);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [text, session]);
  if (!text) return { hits: [...visited(session), ...pagesLike('', session)], problem: '', isReading: false };
  const isReading = found.text !== text && finderOf(session) !== undefined;
  const hits = [...(found.text === text ? found.hits : []), ...pagesLike(text, session)];
  return { hits, problem: found.text === text ? found.problem : '', isReading };
}

function Opened({ session }: { session: SignedIn }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { hits, problem, isReading } = useHits(text.trim(), session);
  const current = Math.min(at, hits.length - 1);
  // A layout effect, so that the dialog is open before the next key: letters typed right after Ctrl-K go to its field.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`hit-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    dialog.current?.close();
    go(hit.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length) {
      event.preventDefault();
      setAt((current + step + hits.length) % hits.length);
    }
    if (event.key === 'Enter' && !isReading) choose(hits[current]);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={() => isOpen.set(false)}>
      <input
        type="text"
        role="combobox"
        aria-label="Search members, ids, e-mails and pages"
        placeholder="Name, e-mail, id, error id, page"
        aria-expanded="true"
        aria-controls="hits"
        aria-activedescendant={hits.length ? `hit-${current}` : undefined}
        autoComplete="off"
        spellcheck={false}
        maxLength={200}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Hits hits={hits} current={current} choose={choose} />
      <p class="dim" role="status">
        {problem || (!isReading && hits.length === 0 && 'Nothing with this. Ids must be complete.')}
      </p>
      <footer>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </footer>
    </dialog>
  );
}

const Hits = ({ hits, current, choose }: { hits: Hit[]; current: number; choose: (hit: Hit) => void }) => (
  <div id="hits" role="listbox" aria-label="Found" tabIndex={-1}>
    {hits.map((hit, place) => {
      const isFirst = hits[place - 1]?.group !== hit.group;
      return (
        <>
          {isFirst && (
            <h3 role="presentation" key={hit.group}>
              {hit.group}
            </h3>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text above */}
          <div
            key={hit.href + hit.title}
            id={`hit-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            onClick={() => choose(hit)}
          >
            <Icon name={hit.icon} />
            <span>{hit.title}</span>
            <small>{hit.beside}</small>
          </div>
        </>
      );
    })}
  </div>
);
