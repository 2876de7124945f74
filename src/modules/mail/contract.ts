import { Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import { type EventKind, eventKind } from '../../kernel/messaging/events.ts';

/** The content of an e-mail; the mail module renders it as HTML and as plain text. */
export interface MailContent {
  subject: string;
  /** Paragraphs of plain text; escaped on rendering. */
  paragraphs: string[];
  /** Text shown in large type, such as a code. */
  highlight?: string;
  /** What the recipient can do with one click; shown as a button after the paragraphs. */
  action?: { label: string; url: string };
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
  /** Whether the recipient requested the mail, so that it is sent to a suppressed address, too. */
  isAskedFor?: boolean;
  /** One-click unsubscribe URL (RFC 8058), for mails that are not transactional. */
  unsubscribeUrl?: string;
}

/** The outcome of an attempt to send an e-mail. */
export interface MailOutcome {
  status: 'sent' | 'unavailable' | 'rejected' | 'suppressed';
  error?: string;
  messageId?: string;
  /** The answer of the mail server. */
  response?: string;
}

export interface Mails {
  /**
   * Sends an e-mail and resolves once the mail server has accepted it.
   * @returns `unavailable` when no mail server is configured; `suppressed` when the address refuses our mail; `rejected`, with the reason, on a permanent rejection
   * @throws any other error, when a retry may succeed
   */
  send(mail: OutgoingMail): Promise<MailOutcome>;
}

/** An event that is sent by e-mail, with its recipient and text. */
export interface Mail {
  kind: EventKind<{ email: string }>;
  write(data: { email: string }): MailContent;
  isAskedFor: boolean;
  usefulForMs: number | undefined;
  isPointless(data: { email: string }): Promise<boolean>;
  summary: MailContent | undefined;
}

interface MailOptions<Data> {
  /**
   * Whether it is a code that the recipient requested: it is sent to a suppressed address, too, and waits where the address
   * has had many of this kind.
   */
  isAskedFor?: boolean;
  /** For how long after its event it is sent, such as the lifetime of the code in it; without, for ever. */
  usefulForMs?: number;
  /** Whether a mail that has waited is of no use any more, such as a code that a newer one has replaced. */
  isPointless?: (data: Data) => Promise<boolean>;
  /** Sent once an hour in place of the mails that are too many for one address: it says that there are more. */
  summary?: MailContent;
}

/** Declares that an event is sent by e-mail to its `email`. Modules contribute their mails. */
export const mail = <Data extends { email: string; userId?: ObjectId }>(
  kind: EventKind<Data>,
  write: (data: Data) => MailContent,
  { isAskedFor = false, usefulForMs, isPointless = async () => false, summary }: MailOptions<Data> = {},
): Mail => ({
  kind,
  write: (data) => write(data as Data),
  isAskedFor,
  usefulForMs,
  isPointless: (data) => isPointless(data as Data),
  summary,
});

/** An address, in its canonical form, refuses our mail from now on. Published in the transaction that suppresses it. */
export const addressSuppressed = eventKind('mail.address-suppressed', {
  version: 1,
  data: Type.Object({ email: Type.String() }),
});

/** An attempt to send an e-mail that an event requested. `failing` ones are attempted again. */
export interface MailAttempt extends Omit<MailOutcome, 'status'> {
  /** The id of the event, the same for each attempt. */
  id: ObjectId;
  /** The kind of e-mail, such as `email.welcome`. */
  kind: string;
  to: string;
  userId: ObjectId | undefined;
  subject: string;
  status: MailOutcome['status'] | 'failing';
}

/** Returns the response of the mail server that an error carries. */
export const responseOf = (error: unknown): string | undefined => {
  const { response } = error as { response?: unknown };
  return typeof response === 'string' ? response : undefined;
};

declare module '../module.ts' {
  interface Contributions {
    /** Events that trigger an e-mail. */
    mails?: Mail[];
    /** Keeps a record of an e-mail that an event requested, after each attempt. */
    recordMail?: (attempt: MailAttempt) => Promise<void>;
  }
}
