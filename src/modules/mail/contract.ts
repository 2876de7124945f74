import type { ObjectId } from '../../kernel/ids.ts';
import type { EventKind } from '../../kernel/messaging/events.ts';

/** The content of an e-mail; the mail module renders it as HTML and as plain text. */
export interface MailContent {
  subject: string;
  /** Paragraphs of plain text; escaped on rendering. */
  paragraphs: string[];
  /** Text shown in large type, such as a code. */
  highlight?: string;
  /** Text shown in small type at the end. */
  footer?: string;
  /** Shown at the end of the footer. */
  footerLink?: { label: string; url: string };
}

/** An e-mail to send. */
interface OutgoingMail extends MailContent {
  /** Identical for every attempt, so that a receiver can discard duplicates. */
  id: string;
  /** The kind of e-mail, such as `email.welcome`. */
  kind: string;
  to: string;
  /** One-click unsubscribe URL (RFC 8058), for mails that are not transactional. */
  unsubscribeUrl?: string;
}

export interface Mails {
  /**
   * Sends an e-mail and resolves once the mail server has accepted it.
   * @returns `unavailable` when no mail server is configured; `rejected`, with the reason, on a permanent rejection
   * @throws any other error, when a retry may succeed
   */
  send(mail: OutgoingMail): Promise<{ status: 'sent' | 'unavailable' | 'rejected'; error?: string }>;
}

/** An event that is sent by e-mail, with its recipient and text. */
export interface Mail {
  kind: EventKind<{ email: string }>;
  write(data: { email: string }): MailContent;
}

/** Declares that an event is sent by e-mail to its `email`. Modules contribute their mails. */
export const mail = <Data extends { email: string; userId?: ObjectId }>(
  kind: EventKind<Data>,
  write: (data: Data) => MailContent,
): Mail => ({ kind, write: (data) => write(data as Data) });

declare module '../module.ts' {
  interface Contributions {
    /** Events that trigger an e-mail. */
    mails?: Mail[];
  }
}
