import { type Mailer, MailRefused } from '../../external/mail/port.ts';
import type { Core } from '../../kernel/core.ts';
import { type Event, onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import { Postponed } from '../../kernel/messaging/jobs.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';
import type { Module } from '../module.ts';
import {
  type Mail,
  type MailAttempt,
  type MailContent,
  type MailOutcome,
  type Mails,
  responseOf,
} from './contract.ts';
import { layOut } from './layout.ts';
import { mailCounts } from './mail.metrics.ts';
import { mailOperations } from './mail.operations.ts';
import { mailInternalEvents } from './mail.public-events.ts';
import { MAILS_OF_A_KIND, mailLimit } from './mail-limit.ts';
import { snsSignatures } from './sns-signatures.ts';
import { suppressionStore } from './suppressions.store.ts';
import { suppressionRules } from './suppressions.ts';

const EXPIRED = 'what it brings has expired';
const POINTLESS = 'a newer mail has replaced it, or the account is gone';
/**
 * A mail that waits is judged again at least so often: the erasure of a deleted account is repeated for as long as one to its
 * address waits.
 */
const LONGEST_WAIT_SECONDS = 300;

interface MailDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'cache' | 'clock' | 'newId' | 'log'> {
  /** Undefined when no mail server is configured; then nothing is sent. */
  mailer: Mailer | undefined;
}

/**
 * Mail: renders and sends e-mails, sends the events that modules contribute, and keeps which addresses refuse mail. Each
 * event is one durable job. Owns the database schema `mail`.
 */
export function mailModule({ mailer, log, ...needs }: MailDeps): Module<Mails> {
  const store = suppressionStore(needs.database);
  const suppressions = suppressionRules({ ...needs, store, verifySns: snsSignatures() });
  const counts = mailCounts();
  const admissionOf = mailLimit(needs);
  const send: Mails['send'] = async (mail) => {
    try {
      const outcome = await attempt(mail);
      counts.add(outcome.status);
      return outcome;
    } catch (error) {
      counts.add('failed');
      throw error;
    }
  };
  const attempt: Mails['send'] = async ({ id, kind, to, unsubscribeUrl, isAskedFor, ...content }) => {
    if (!mailer) return { status: 'unavailable', error: 'no mail server is configured' };
    if (!isAskedFor && (await suppressions.isSuppressed(to)))
      return { status: 'suppressed', error: 'the address refuses our mail' };
    try {
      return { status: 'sent', ...(await mailer.send({ id, kind, to, unsubscribeUrl, ...layOut(content) })) };
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      return { status: 'rejected', error: error.message, response: responseOf(error.cause) };
    }
  };

  const notSent = (error: string): MailOutcome => {
    counts.add('suppressed');
    return { status: 'suppressed', error };
  };

  /** Sends a mail, or a summary in its place, unless its address has had as many of this kind as it may. */
  async function sendLimited(
    { isAskedFor, usefulForMs = Number.POSITIVE_INFINITY, isPointless, summary }: Mail,
    { data, occurredAt }: Event<{ email: string }>,
    mail: { id: string; kind: string; to: string } & MailContent,
  ): Promise<MailOutcome> {
    const waitedMs = needs.clock.now() - Date.parse(occurredAt);
    if (waitedMs > usefulForMs) return notSent(EXPIRED);
    if (waitedMs > MINUTE_MS && (await isPointless(data))) return notSent(POINTLESS);
    const { of, afterSeconds, giveBack } = await admissionOf(mail, summary !== undefined);
    if (of === 'nothing') {
      const reason = `more than ${MAILS_OF_A_KIND.limit} mails of this kind in an hour`;
      if (!isAskedFor) return notSent(reason);
      if (await isPointless(data)) return notSent(POINTLESS);
      throw new Postponed(reason, { afterSeconds: Math.min(afterSeconds, LONGEST_WAIT_SECONDS) });
    }
    try {
      return await send({ ...mail, isAskedFor, ...(of === 'summary' ? summary : undefined) });
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  /** Sends the e-mail of an event, and has each attempt recorded. */
  const sendingOf = (mail: Mail, record: (attempt: MailAttempt) => Promise<void>): Subscription =>
    onExternal(mail.kind, 'mail', async (event) => {
      const { id, name: kind, data } = event;
      const { email: to, userId } = data as { email: string; userId?: string };
      const content = mail.write(data);
      const attempt = { id, kind, to, userId, subject: content.subject };
      try {
        const outcome = await sendLimited(mail, event, { id, kind, to, ...content });
        const { status, error = '' } = outcome;
        if (status === 'rejected') log.error({ id, kind, error }, 'mail rejected by the server');
        await record({ ...attempt, ...outcome });
      } catch (error) {
        await record({
          ...attempt,
          status: 'failing',
          error: (error as Error).message,
          response: responseOf(error),
        });
        throw error;
      }
    });

  return {
    name: 'mail',
    sections: { Mail: 'Addresses that refuse our mail.' },
    internalEvents: mailInternalEvents,
    operations: mailOperations(suppressions),
    erasePerson: (person) => store.erase(person),
    service: { send },
    metrics: [counts],
    collect: (modules) => {
      const records = modules.flatMap(({ recordMail }) => recordMail ?? []);
      const record = async (attempt: MailAttempt) => {
        for (const one of records) await one(attempt);
      };
      return {
        subscriptions: modules.flatMap(({ mails = [] }) => mails).map((mail) => sendingOf(mail, record)),
      };
    },
    stop: async () => mailer?.close(),
  };
}
