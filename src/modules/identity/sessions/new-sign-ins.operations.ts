import { failure } from '../../../kernel/failures.ts';
import { mailLink } from '../../../kernel/operations/mail-links.ts';
import { type Operation, ok } from '../../../kernel/operations/operation.ts';
import { Ended } from './sessions.schemas.ts';
import type { SessionRules } from './sessions.ts';
import { LINK_DAYS, SIGN_IN_LINK_PATH, type SignInLinks } from './sign-in-links.ts';
import { askingPage, endedPage, invalidLinkPage } from './sign-in-pages.ts';

const invalidLink = failure(400, 'INVALID_LINK', 'The link is not valid, or the session has ended');

interface Parts {
  sessions: Pick<SessionRules, 'disown' | 'canBeDisowned'>;
  links: SignInLinks;
}

/** The link in mails about new sign-ins: requires no sign-in. */
export const newSignInOperations = ({ sessions, links }: Parts): Operation[] =>
  mailLink({
    path: SIGN_IN_LINK_PATH,
    tag: 'Sign-in',
    act: { id: 'endNewSignIn', summary: 'End the session that a mail about a new sign-in names' },
    show: {
      id: 'showNewSignIn',
      summary: 'Show the page of a link in a mail about a new sign-in',
      description: `The link works for ${LINK_DAYS} days. Its button sends the POST request; opening it changes nothing.`,
    },
    success: ok(Ended, { message: 'Session ended' }),
    invalid: invalidLink,
    pages: { asking: askingPage, done: endedPage, invalid: invalidLinkPage },
    isValid: async (token) => {
      const sessionId = links.read(token);
      return sessionId !== undefined && (await sessions.canBeDisowned(sessionId));
    },
    run: async (token) => {
      const sessionId = links.read(token);
      const sessionsEnded = sessionId === undefined ? 0 : await sessions.disown(sessionId);
      return sessionsEnded > 0 ? { sessionsEnded } : undefined;
    },
  });
