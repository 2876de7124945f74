import { shorten } from '../../kernel/text/text.ts';
import type { PushMessage } from './port.ts';

/** The fields that an app needs to open the notification. */
const ESSENTIAL = ['action', 'type', 'notificationId'];

/**
 * Shrinks a push to its service's limit. Drops, in order: the data except the essential fields; the images, and all
 * data if the essential fields alone are too large; the end of the body; the end of the title.
 * @param sizeOf returns the size of a push on the wire, in bytes
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
