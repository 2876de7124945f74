import { noticePage } from '../../../kernel/text/notice-page.ts';

/** The page has a button, because link scanners of mail programs also open links, and must not end anything. */
export const askingPage = (): string =>
  noticePage(
    'Was it not you who signed in?',
    `<p>This ends that session at once. Then change your password, because somebody may know it.</p>
<form method="post"><p><button>End the session</button></p></form>
<p><small>If it was you, just close this page: nothing has changed.</small></p>`,
  );

export const endedPage = (): string =>
  noticePage(
    'The session has ended',
    '<p>Now change your password in the app, because somebody may know it.</p>',
  );

export const invalidLinkPage = (): string =>
  noticePage(
    'This link does not work any more',
    '<p>It may be incomplete or older than a week, or the session has ended already. You can see and end all of your sessions in the app.</p>',
  );
