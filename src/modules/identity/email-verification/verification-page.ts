import { noticePage } from '../../../kernel/text/notice-page.ts';

/** The page has a button, because link scanners of mail programs also open links, and must not change anything. */
export const askingPage = (): string =>
  noticePage(
    'Verify your e-mail address?',
    `<p>This shows that the address is yours.</p>
<form method="post"><p><button>Verify</button></p></form>
<p><small>If you did not sign up, just close this page: nothing has changed.</small></p>`,
  );

/** For a network that the account was never used from: whoever signed up may be somebody else. */
export const askingStrangerPage = (): string =>
  noticePage(
    'Did you sign up?',
    `<p>If you did, enter the six-digit code of the mail in the app or on the page where you signed up, and close this page.</p>
<p>We ask because your network is not the one where somebody signed up with this address. If that was not you, or you cannot enter the code, you can show here that the address is yours. This signs everybody out of the account, and its password no longer works: set a new one by “forgot password”.</p>
<form method="post"><p><button>Verify, and end all access</button></p></form>
<p><small>If you do not want an account, just close this page: nothing has changed.</small></p>`,
  );

export const accessEndedPage = (): string =>
  noticePage(
    'Your e-mail address is verified',
    '<p>Everybody was signed out of the account, and its former password no longer works. To use the account, choose “forgot password” in the app, and set a new one.</p>',
  );

export const verifiedPage = (): string =>
  noticePage('Your e-mail address is verified', '<p>You can close this page, and continue in the app.</p>');

export const invalidLinkPage = (): string =>
  noticePage(
    'This link does not work',
    '<p>It may be incomplete or older than 24 hours, or a newer mail has replaced it. Nothing has changed. You can ask for a new mail in the app.</p>',
  );
