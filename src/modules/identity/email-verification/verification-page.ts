import { noticePage } from '../../../kernel/text/notice-page.ts';

/** The page has a button, because link scanners of mail programs also open links, and must not change anything. */
export const askingPage = (): string =>
  noticePage(
    'Verify your e-mail address?',
    `<p>This shows that the address is yours.</p>
<form method="post"><p><button>Verify</button></p></form>
<p><small>If you did not sign up, just close this page: nothing has changed.</small></p>`,
  );

export const verifiedPage = (): string =>
  noticePage('Your e-mail address is verified', '<p>You can close this page, and continue in the app.</p>');

export const invalidLinkPage = (): string =>
  noticePage(
    'This link does not work',
    '<p>It may be incomplete or older than 24 hours, or a newer mail has replaced it. Nothing has changed. You can ask for a new mail in the app.</p>',
  );
