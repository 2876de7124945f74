/** An e-mail ready to be sent. */
interface Mail {
  /** Identical for every attempt, so that receivers can discard duplicates. */
  id: string;
  /** The kind of mail, such as `email.welcome`. */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** One-click unsubscribe URL (RFC 8058), for mail that is not transactional. */
  unsubscribeUrl?: string;
}

/** The mail server's answer to an accepted e-mail. */
interface MailReceipt {
  /** The `Message-ID` header. */
  messageId: string;
  response: string;
}

/** The mail server permanently rejected the address or the mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Delivers e-mails. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the mail.
   * @throws MailRefused when a retry is pointless, any other error when a retry may succeed
   */
  send(mail: Mail): Promise<MailReceipt>;
  close(): void;
}
