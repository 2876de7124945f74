/** The operations that show the pages to which links in mails lead. */
export const SHOWN_LINKS = ['unsubscribeByLink', 'showEmailVerification', 'showNewSignIn'];

/** All operations of links in mails: those that show the pages, and those behind the pages' buttons. */
export const MAIL_LINKS = [...SHOWN_LINKS, 'unsubscribeByMail', 'verifyEmailByLink', 'endNewSignIn'];
