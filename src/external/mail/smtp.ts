import { lazy } from '../../kernel/concurrency/lazy.ts';
import { encodedWords } from './encoded-words.ts';
import { type Mailer, MailRefused } from './port.ts';

interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://`. */
  url: string;
  /** `Platform <no-reply@example.com>` */
  from: string;
  /** How long sending a mail may take, with the wait for a connection. */
  withinMs?: number;
}

const CONNECTIONS = 5;
const TIMEOUT_MS = 10_000;
/** A server that answers bit by bit is never silent for the time-out above, and would keep each connection for good. */
const SENDING_MS = 120_000;

/** Returns a mailer that sends e-mails to a mail server by SMTP, over a few persistent connections. */
export function smtpMailer({ url, from, withinMs = SENDING_MS }: SmtpOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  let close: (() => void) | undefined;
  // Loading the library takes long; loading it on first use keeps the start fast.
  const transport = lazy(async () => {
    const { createTransport } = await import('nodemailer');
    const opened = createTransport({
      pool: true,
      maxConnections: CONNECTIONS,
      host: hostname,
      port: Number(port) || (isSecure ? 465 : 587),
      secure: isSecure,
      ...(username
        ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
        : {}),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    close = () => opened.close();
    return opened;
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, kind, to, subject, text, html, unsubscribeUrl }) {
      try {
        const sent = await (await transport()).sendMail({
          // An object, so that no part of an address is parsed as another address.
          to: { name: '', address: to },
          from,
          subject: encodedWords(subject),
          text,
          html,
          messageId: `<${id}@${domain}>`,
          signal: AbortSignal.timeout(withinMs),
          headers: {
            'X-Platform-Mail': kind,
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl
              ? {
                  'List-Unsubscribe': `<${unsubscribeUrl}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }
              : {}),
          },
        });
        return { messageId: sent.messageId, response: sent.response };
      } catch (error) {
        throw isRefusal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    close: () => close?.(),
  };
}

/** What the library says of a refusal of the addresses, or of the mail itself. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * Whether the server permanently rejected this mail (RFC 5321, 4.2.1), rather than our connection, our sign-in or our
 * sender, which an operator can fix.
 */
function isRefusal(error: unknown): boolean {
  const fault = error as { responseCode?: number; code?: string; command?: string };
  const { responseCode = 0, code = '', command } = fault;
  return responseCode >= 500 && ABOUT_THE_MAIL.has(code) && command !== 'MAIL FROM';
}
