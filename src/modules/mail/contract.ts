import type { EventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** What an e-mail says; the mail module lays it out as HTML and as plain text. */
export interface MailContent {
  subject: string;
  /** Paragraphs of plain text; they are escaped. */
  paragraphs: string[];
  /** Shown large, such as a code. */
  highlight?: string;
  /** Shown small below everything. */
  footer?: string;
  /** Shown at the end of the footer. */
  footerLink?: { label: string; url: string };
}

/** An e-mail to send. */
interface OutgoingMail extends MailContent {
  /** The same at every attempt, so that a receiver who knows it keeps one. */
  id: string;
  /** Which of the platform's mails it is, such as `email.welcome`. */
  kind: string;
  to: string;
  /** Where the receiver unsubscribes with one click (RFC 8058); for mails that are not transactional. */
  unsubscribeUrl?: string;
}

export interface Mails {
  /**
   * Sends an e-mail and resolves once the mail server has accepted it.
   * @returns `unavailable` when no mail server is configured; `rejected`, with the reason, when it will never be accepted
   * @throws any other error when trying again makes sense
   */
  send(mail: OutgoingMail): Promise<{ status: 'sent' | 'unavailable' | 'rejected'; error?: string }>;
}

/** An event that is mailed, to whom and in which words. */
export interface Mail {
  kind: EventKind<{ email: string }>;
  write(data: { email: string }): MailContent;
}

/** Declares that an event is mailed to its `email`. Modules contribute their mails. */
export const mail = <Data extends { email: string; userId?: ObjectId }>(
  kind: EventKind<Data>,
  write: (data: Data) => MailContent,
): Mail => ({ kind, write: (data) => write(data as Data) });
