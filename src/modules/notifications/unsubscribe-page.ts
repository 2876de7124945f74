import { noticePage } from '../../kernel/text/notice-page.ts';

/** The page has a button, because link scanners of mail programs also open links, and must not change anything. */
export const askingPage = (): string =>
  noticePage(
    'Stop notifications by e-mail?',
    `<p>You will still see them in the app, and still receive mails about your account itself, such as its password.</p>
<form method="post"><p><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></p></form>
<p><small>If you do not want to, just close this page: nothing has changed.</small></p>`,
  );

export const donePage = (): string =>
  noticePage(
    'You are unsubscribed',
    '<p>You will no longer receive notifications by e-mail. You can turn them on again in the app, in your preferences.</p>',
  );

export const invalidLinkPage = (): string =>
  noticePage(
    'This link does not work',
    '<p>It may be incomplete. Nothing has changed. Please open the link in the mail again, or turn off e-mail notifications in the app.</p>',
  );
