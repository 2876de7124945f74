import type { MailContent } from '../mail/contract.ts';
import type { Delivery } from './deliveries.store.ts';

const FOOTER =
  'You receive this because your notifications by e-mail are on. Your mail program can turn them off.';

/** The e-mail of one notification, or of what came together in an hour. */
export function letterOf(all: Pick<Delivery, 'title' | 'message'>[]): MailContent {
  const [first] = all;
  if (first && all.length === 1) return { subject: first.title, paragraphs: [first.message], footer: FOOTER };
  return {
    subject: `${all.length} new notifications`,
    paragraphs: all.map(({ title, message }) => `${title}\n${message}`),
    footer: FOOTER,
  };
}
