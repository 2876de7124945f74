/** The operations that show the pages of links in mails. */
export const SHOWN_LINKS = ['unsubscribeByLink', 'showEmailVerification', 'showNewSignIn'];

/** All operations of links in mails: those of the pages, and those behind their buttons. */
export const MAIL_LINKS = [...SHOWN_LINKS, 'unsubscribeByMail', 'verifyEmailByLink', 'endNewSignIn'];
