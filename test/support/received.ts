import type { Mail } from '../../src/sandbox/mailbox.ts';
import type { Push } from '../../src/sandbox/push.ts';

export type { Mail, Push };

/** Returns the mails in a sandbox's mailbox, newest first: all, or those to an address. */
export async function mailsIn(sandboxUrl: string, to?: string): Promise<Mail[]> {
  const search = new URLSearchParams({ format: 'json', ...(to === undefined ? {} : { to }) });
  return (await (await fetch(`${sandboxUrl}/mailbox?${search}`)).json()) as Mail[];
}

/** Returns the pushes that a sandbox's push service received for a device, newest first. */
export async function pushesIn(sandboxUrl: string, token: string): Promise<Push[]> {
  const search = new URLSearchParams({ format: 'json', token });
  return (await (await fetch(`${sandboxUrl}/push?${search}`)).json()) as Push[];
}
