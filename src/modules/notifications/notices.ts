import { onMany, type Subscription } from '../../kernel/messaging/events.ts';
import type { Notice, Notifications } from './contract.ts';

/**
 * Subscribes to every event for which a module contributed a notice. The event is the subject of its notifications, so
 * that a duplicate delivery notifies once.
 */
export const noticeSubscriptions = (
  notices: Notice[],
  { notify, notifyTopic }: Pick<Notifications, 'notify' | 'notifyTopic'>,
): Subscription[] =>
  notices.map(({ kind, write }) =>
    onMany(kind, 'notifications', async (events, tx) => {
      const messages = events.flatMap((event) =>
        write(event).map((message) => ({ ...message, subject: `${event.name}:${event.id}` })),
      );
      await notify(
        tx,
        messages.flatMap((message) => ('to' in message ? [{ ...message, userId: message.to }] : [])),
      );
      for (const message of messages) {
        if (!('topic' in message)) continue;
        const { topic, ...content } = message;
        await notifyTopic(tx, topic, content);
      }
    }),
  );
