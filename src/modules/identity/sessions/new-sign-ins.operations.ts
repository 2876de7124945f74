import { failure } from '../../../kernel/failures.ts';
import { signedLink } from '../../../kernel/operations/access.ts';
import {
  HtmlPage,
  type Operation,
  ok,
  operation,
  type RawRequest,
} from '../../../kernel/operations/operation.ts';
import { LinkBody, LinkQuery, Shown } from './new-sign-ins.schemas.ts';
import { Ended } from './sessions.schemas.ts';
import type { SessionRules } from './sessions.ts';
import { LINK_DAYS, SIGN_IN_LINK_PATH, type SignInLinks } from './sign-in-links.ts';
import { askingPage, endedPage, invalidLinkPage } from './sign-in-pages.ts';

const tag = 'Sign-in';
const invalidLink = failure(400, 'INVALID_LINK', 'The link is not valid, or the session has ended');

/** Returns whether to respond with a page: for browsers, but not for API clients. */
const wantsPage = (raw: RawRequest): boolean => raw.header('accept').includes('text/html');

interface Parts {
  sessions: Pick<SessionRules, 'disown' | 'canBeDisowned'>;
  links: SignInLinks;
}

/** The link in mails about new sign-ins: requires no sign-in. */
export const newSignInOperations = ({ sessions, links }: Parts): Operation[] => [
  operation({
    method: 'GET',
    path: SIGN_IN_LINK_PATH,
    id: 'showNewSignIn',
    tag,
    summary: 'Show the page of a link in a mail about a new sign-in',
    description: `The link works for ${LINK_DAYS} days. Its button sends the POST request; opening it changes nothing.`,
    access: signedLink,
    isLink: true,
    query: LinkQuery,
    success: ok(Shown, { alsoAs: 'text/html' }),
    failures: [invalidLink],
    handle: async ({ query, raw }) => {
      const sessionId = links.read(query.token);
      if (sessionId && (await sessions.canBeDisowned(sessionId))) return new HtmlPage(200, askingPage());
      if (wantsPage(raw)) return new HtmlPage(400, invalidLinkPage());
      throw invalidLink();
    },
  }),
  operation({
    method: 'POST',
    path: SIGN_IN_LINK_PATH,
    id: 'endNewSignIn',
    tag,
    summary: 'End the session that a mail about a new sign-in names',
    access: signedLink,
    isLink: true,
    form: true,
    maxBodyBytes: 1024,
    query: LinkQuery,
    body: LinkBody,
    success: ok(Ended, { message: 'Session ended', alsoAs: 'text/html' }),
    failures: [invalidLink],
    handle: async ({ query, raw }) => {
      const sessionId = links.read(query.token);
      const isEnded = sessionId !== undefined && (await sessions.disown(sessionId));
      if (wantsPage(raw)) return new HtmlPage(isEnded ? 200 : 400, isEnded ? endedPage() : invalidLinkPage());
      if (!isEnded) throw invalidLink();
      return { sessionsEnded: 1 };
    },
  }),
];
