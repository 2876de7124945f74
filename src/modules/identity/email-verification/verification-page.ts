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
    `<p>Somebody signed up with this address, from another network than yours. If it was you, this shows that the address is yours.</p>
<form method="post"><p><button name="access" value="keep">Yes, verify my address</button></p></form>
<p>If it was not you, whoever did knows the password of the account. You can make it yours: everybody is signed out, and its password no longer works. Then set a new one by “forgot password”.</p>
<form method="post"><p><button name="access" value="end">No, make the account mine</button></p></form>
<p><small>If you do not want an account, just close this page: nothing has changed.</small></p>`,
  );

export const accessEndedPage = (): string =>
  noticePage(
    'Your e-mail address is verified',
    '<p>Everybody was signed out of the account, and its former password no longer works. To use the account, choose “forgot password” in the app, and set a new one.</p>',
  );

/** For a no that ends nothing. */
export const accessKeptPage = (): string =>
  noticePage(
    'Your e-mail address is verified',
    '<p>The access to the account has not been changed: nobody was signed out, and its password still works. The account was made by an administrator, or somebody has already shown that they read the mail of this address. To use it, choose “forgot password” in the app, which signs everybody else out.</p>',
  );

export const verifiedPage = (): string =>
  noticePage('Your e-mail address is verified', '<p>You can close this page, and continue in the app.</p>');

export const invalidLinkPage = (): string =>
  noticePage(
    'This link does not work',
    '<p>It may be incomplete or older than 24 hours, or a newer mail has replaced it. Nothing has changed. You can ask for a new mail in the app.</p>',
  );
