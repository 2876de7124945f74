import { shorten } from '../../kernel/text.ts';
import type { PushMessage } from './port.ts';

/** What an app needs in order to open what a push tells of. */
const ESSENTIAL = ['action', 'type', 'notificationId'];

/**
 * Makes a push fit into what its service takes: whatever does not fit is left out, first the data but for what opens
 * the notification, then the images and all data, then the end of the text, at last that of the title.
 * @param sizeOf how many bytes the push has on the wire
 */
export function fitted(
  message: PushMessage,
  sizeOf: (message: PushMessage) => number,
  maxBytes: number,
): PushMessage {
  const fits = (one: PushMessage): boolean => sizeOf(one) <= maxBytes;
  const { title, body, data } = message;
  const essential = Object.fromEntries(Object.entries(data).filter(([name]) => ESSENTIAL.includes(name)));
  const bare = { title, body, data: fits({ title: '', body: '', data: essential }) ? essential : {} };
  for (const one of [message, { ...message, data: essential }, bare]) if (fits(one)) return one;
  const shortBody = shorten(body, (text) => fits({ ...bare, body: text }));
  if (shortBody !== '' || fits({ ...bare, body: '' })) return { ...bare, body: shortBody };
  return { ...bare, body: '', title: shorten(title, (text) => fits({ ...bare, body: '', title: text })) };
}
