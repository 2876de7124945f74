import { shortenTo } from '../../kernel/text/text.ts';
import type { MailContent } from '../mail/contract.ts';
import type { Parcel } from './delivering.ts';

const FOOTER = 'You receive this mail because your e-mail notifications are turned on.';

/** Mail programs display about 100 KB of a mail; fifty messages of this length are a quarter of that. */
const MAX_MESSAGE_LENGTH_IN_DIGEST = 300;

/** Returns the e-mail for a single notification or an hourly digest. */
export function mailContentOf(
  { listed, total }: Pick<Parcel, 'listed' | 'total'>,
  unsubscribeUrl: string,
): MailContent {
  const footer = { footer: FOOTER, footerLink: { label: 'Turn them off', url: unsubscribeUrl } };
  const [first] = listed;
  if (first && total === 1) return { subject: first.title, paragraphs: [first.message], ...footer };
  const lines = listed.map(
    ({ title, message }) => `${title}\n${shortenTo(message, MAX_MESSAGE_LENGTH_IN_DIGEST)}`,
  );
  const others = total - listed.length;
  return {
    subject: `${total} new notifications`,
    paragraphs: others > 0 ? [...lines, `And ${others} more, in the app.`] : lines,
    ...footer,
  };
}
