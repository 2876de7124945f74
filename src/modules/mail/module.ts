import { type Mailer, MailRefused } from '../../external/mail/port.ts';
import type { Core } from '../../kernel/core.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import type { Module } from '../module.ts';
import type { Mails } from './contract.ts';
import { layOut } from './layout.ts';

interface MailDeps extends Pick<Core, 'log'> {
  /** Undefined when no mail server is configured; then nothing is sent. */
  mailer: Mailer | undefined;
}

/** Mail: renders and sends e-mails, and sends the events that modules contribute. Each event is one durable job. */
export function mailModule({ mailer, log }: MailDeps): Module<Mails> {
  const send: Mails['send'] = async ({ id, kind, to, unsubscribeUrl, ...content }) => {
    if (!mailer) return { status: 'unavailable', error: 'no mail server is configured' };
    try {
      await mailer.send({ id, kind, to, unsubscribeUrl, ...layOut(content) });
      return { status: 'sent' };
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      return { status: 'rejected', error: error.message };
    }
  };

  return {
    name: 'mail',
    service: { send },
    collect: (modules) => ({
      subscriptions: modules
        .flatMap(({ mails = [] }) => mails)
        .map(({ kind, write }) =>
          onExternal(kind, 'mail', async ({ id, name, data }) => {
            const { status, error = '' } = await send({ id, kind: name, to: data.email, ...write(data) });
            if (status === 'rejected') log.error({ id, kind: name, error }, 'mail rejected by the server');
          }),
        ),
    }),
    stop: async () => mailer?.close(),
  };
}
