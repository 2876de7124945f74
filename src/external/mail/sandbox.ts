import { ExternalFault, outboundClient } from '../../kernel/outbound.ts';
import type { Mailer } from './port.ts';

/** Hands e-mails to the sandbox's mailbox, where they can be read in a browser. */
export function sandboxMailer(sandboxUrl: string): Mailer {
  const call = outboundClient({ baseUrl: sandboxUrl });
  return {
    send: async (mail) => {
      const { status } = await call({ method: 'POST', path: '/mailbox', body: mail, idempotent: true });
      if (status !== 201) throw new ExternalFault(`the mailbox answered ${status}`);
    },
  };
}
