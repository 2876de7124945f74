import { type Letter, letter } from '../mail/index.ts';
import type { Delivery } from './deliveries.store.ts';

const FOOTER =
  'You receive this because your notifications by e-mail are on. Your mail program can turn them off.';

export const notificationLetter = ({ title, message }: Pick<Delivery, 'title' | 'message'>): Letter =>
  letter({ subject: title, paragraphs: [message], footer: FOOTER });

/** One mail for what came together in an hour. */
export const digestLetter = (all: Pick<Delivery, 'title' | 'message'>[]): Letter =>
  all.length === 1
    ? notificationLetter(all[0] as Delivery)
    : letter({
        subject: `${all.length} new notifications`,
        paragraphs: all.map(({ title, message }) => `${title}\n${message}`),
        footer: FOOTER,
      });
