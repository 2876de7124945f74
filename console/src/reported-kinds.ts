import type { Report } from '@platform-api/sdk';
import { words } from './text.ts';

export type Kind = Report['kind'];

interface KindInWords {
  /** If it differs from the word of the API. */
  name?: string;
  /** What a removal does, if it is not that nobody sees the content any more. */
  removal?: string;
  /** Whether it stands among others of its kind, which its context shows. */
  isAmongOthers?: boolean;
}

export const KINDS: Record<Kind, KindInWords> = {
  message: { isAmongOthers: true },
  community: {
    removal: 'Its name is replaced and its description emptied; its posts and members stay.',
  },
  chatroom: {
    removal: 'It gets a neutral name and loses its description and rules; its messages stay.',
  },
  post: { isAmongOthers: true },
  post_comment: { isAmongOthers: true },
  comment: { isAmongOthers: true },
  announcement: {},
  story: {},
  review: { removal: 'Nobody sees its text any more; its stars go on counting.' },
  profile: {
    removal: 'Its texts, links and pictures are emptied; name, username and account stay.',
  },
  trade: { name: 'trade idea' },
  livestream: {
    removal: 'It ends, or is cancelled if it has not begun, and loses its title and description.',
  },
};

/** What is reported, in words. */
export const kindOf = (kind: Kind): string => KINDS[kind]?.name ?? words(kind);

/** The pages about what can be reported, or about what it stands in. */
export const PATHS: Record<string, string> = {
  chatroom: '/chatrooms',
  community: '/communities',
  post: '/posts',
  trade: '/trades',
};
