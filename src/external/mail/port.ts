/** An e-mail ready to be sent. */
interface Mail {
  /** The same at every attempt, so that a receiver who knows it keeps one. */
  id: string;
  /** Which mail of ours this is, such as `email.welcome`. */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where its receiver can have no more of these, with one click (RFC 8058); for what is not transactional. */
  unsubscribeUrl?: string;
}

/** The mail server will never take this mail: the address is wrong, or the mail itself. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Who carries e-mails. */
export interface Mailer {
  /**
   * Resolves once the mail server has taken it over.
   * @throws MailRefused when trying again makes no sense, any other error when it does
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}
