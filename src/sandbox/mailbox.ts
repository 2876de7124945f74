import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { escapeHtml } from '../kernel/text/html.ts';
import type { Clock } from '../kernel/time/time.ts';
import { sandboxPage } from './page.ts';
import { modeOf, taking } from './taking.ts';

/** A received mail. */
export interface Mail {
  id: string;
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  receivedAt: string;
}

const MODES = ['ok', 'fail', 'reject', 'hang'] as const;
type Mode = (typeof MODES)[number];

const HOST = '127.0.0.1';
const MAX_MAILS = 1_000;
const MAX_BYTES = 5 * 1024 * 1024;

export interface Mailbox {
  /** URL of its mail server: `smtp://127.0.0.1:3002`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Adds a mailbox that receives every e-mail of the platform by SMTP and shows it at `/mailbox`. It can be made
 * (`POST /control/mail`) to fail, reject or hang. Duplicates, by Message-ID, are stored once.
 */
export async function addMailbox(
  app: FastifyInstance,
  { port, clock }: { port: number; clock: Pick<Clock, 'date'> },
): Promise<Mailbox> {
  const mails = new Map<string, Mail>();
  let mode: Mode = 'ok';
  let received = 0;

  async function receive(raw: Buffer): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const id = parsed.messageId ?? String(received);
    received++;
    if (mails.has(id)) return;
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
    mails.set(id, {
      id,
      kind: headers['x-platform-mail'] ?? '',
      to: parsed.to?.[0]?.address ?? '',
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      headers,
      receivedAt: clock.date().toISOString(),
    });
    for (const oldest of mails.keys()) {
      if (mails.size <= MAX_MAILS) break;
      mails.delete(oldest);
    }
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    size: MAX_BYTES,
    onRcptTo: (_address, _session, done) => {
      if (mode === 'hang') return;
      if (mode === 'fail') done(Object.assign(new Error('failing on request'), { responseCode: 451 }));
      else if (mode === 'reject') done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        receive(Buffer.concat(chunks)).then(
          () => done(),
          (error: Error) => done(error),
        );
      });
    },
  });
  smtp.on('error', () => undefined); // a client disconnected
  const listen = (on: number) =>
    new Promise<void>((resolve, reject) => {
      smtp.server.once('error', reject);
      smtp.listen(on, HOST, () => {
        smtp.server.off('error', reject);
        resolve();
      });
    });
  await listen(port).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return listen(0);
  });

  app.get<{ Querystring: { to?: string; format?: string } }>('/mailbox', async ({ query }, reply) => {
    const matching = [...mails.values()]
      .filter(({ to }) => query.to === undefined || to === query.to)
      .reverse();
    if (query.format === 'json') return matching;
    return reply.type('text/html; charset=utf-8').send(page(matching));
  });
  app.get('/control/mail', async () => ({ received, kept: mails.size }));
  app.post(
    '/control/mail',
    taking(modeOf(MODES), ({ body }) => {
      mode = body.mode;
      return { mode };
    }),
  );

  return {
    url: `smtp://${HOST}:${(smtp.server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}

const STYLE = `article { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin: 1rem 0 }
  h2 { font-size: 1.1rem; margin: 0 }
  iframe { width: 100%; height: 26rem; border: 0; margin-top: .75rem; background: #f3f4f6; border-radius: .5rem; color-scheme: light }
  pre { white-space: pre-wrap; font-size: .85rem } summary { cursor: pointer; color: var(--muted); font-size: .85rem }`;

const page = (mails: Mail[]): string =>
  sandboxPage({
    title: 'Sandbox mailbox',
    path: '/mailbox',
    style: STYLE,
    main: `<h1>Sandbox mailbox</h1>
${mails.length === 0 ? '<p>No mails yet. Sign up, or reset a password.</p>' : ''}
${mails.map(article).join('\n')}`,
  });

/** Shows the mail's HTML in a sandboxed frame, which can run no scripts and cannot access this page. */
const article = ({ to, subject, text, html, kind, receivedAt }: Mail): string =>
  `<article><h2>${escapeHtml(subject)}</h2><small>to ${escapeHtml(to)} · ${escapeHtml(kind)} · ${receivedAt}</small>
<iframe sandbox="" loading="lazy" title="${escapeHtml(subject)}" srcdoc="${escapeHtml(html)}"></iframe>
<details><summary>Plain text</summary><pre>${escapeHtml(text)}</pre></details></article>`;
