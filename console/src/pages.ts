import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.tsx';

export interface PageEntry {
  /** Below `/console`; `:id` is given to the page. */
  path: string;
  /** Its entry in the sidebar; pages about one thing have none. */
  entry?: { text: string; icon: IconName };
  /** Any of these permissions shows the entry; the server decides what the page may read. */
  needs?: string[];
  load: () => Promise<{ default: ComponentType<{ id: string }> }>;
}

/** The pages of the console, in the order of the sidebar. Each is loaded when it is first opened. */
export const PAGES: PageEntry[] = [
  {
    path: '/',
    entry: { text: 'Members', icon: 'members' },
    needs: ['read_users'],
    load: () => import('./pages/members.tsx'),
  },
  { path: '/members/:id', load: () => import('./pages/member.tsx') },
  {
    path: '/withdrawals',
    entry: { text: 'Withdrawals', icon: 'money' },
    load: () => import('./pages/withdrawals.tsx'),
  },
  { path: '/errors', entry: { text: 'Errors', icon: 'errors' }, load: () => import('./pages/errors.tsx') },
  { path: '/errors/:id', load: () => import('./pages/error.tsx') },
  { path: '/audit', entry: { text: 'Audit log', icon: 'audit' }, load: () => import('./pages/audit.tsx') },
];

/** Returns the page of a path, and the id in it. */
export function pageAt(path: string): { page: PageEntry; id: string } | undefined {
  for (const page of PAGES) {
    const pattern = new RegExp(`^${page.path.replace(':id', '([^/]+)')}$`);
    const found = pattern.exec(path);
    if (found) return { page, id: decodeURIComponent(found[1] ?? '') };
  }
  return undefined;
}
