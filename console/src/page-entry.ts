import type { ComponentType } from 'preact';

/** A page of the console. */
export interface PageEntry {
  /** The path after `/console`; the page receives its `:id`. */
  path: string;
  /** The section of the sidebar that the page belongs to. */
  section: string;
  /** Its name among the tabs of its section; pages about a single record have none. */
  tab?: string;
  /** Permissions, any of which shows the page. This only hides entries: the server decides what a page may read. */
  needs?: string[];
  load: () => Promise<{ default: ComponentType<{ id: string }> }>;
}

export const ADMIN = ['admin'];
export const MODERATOR = ['moderator'];
