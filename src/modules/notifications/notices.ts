import { type Event, onMany, type Subscription } from '../../kernel/messaging/events.ts';
import type { Notice, NoticeMessage } from './contract.ts';
import type { Notify } from './sending.ts';
import type { NotifyTopics } from './topic-fan-out.ts';

/** The destinations of notifications. */
interface Outlets {
  notify: Notify;
  notifyTopics: NotifyTopics;
}

/**
 * Subscribes to every event for which a module contributed a notice. The event is the subject of its notifications, so
 * that a duplicate delivery notifies once.
 */
export const noticeSubscriptions = (notices: Notice[], { notify, notifyTopics }: Outlets): Subscription[] =>
  notices.map((notice) =>
    onMany(notice.kind, 'notifications', async (events, tx) => {
      const loud = events.filter((event) => !isQuiet(event));
      if (loud.length === 0) return;
      const known = await notice.read?.(
        loud.map(({ data }) => data),
        tx,
      );
      const written = loud.flatMap((event) =>
        notice.write(event.data, known).map(({ ids, details, ...message }) => ({
          ...message,
          type: notice.type.name,
          metadata: metadataOf(notice, { ids, details }),
          subject: `${event.name}:${event.id}`,
        })),
      );
      await notify(
        tx,
        written.flatMap((message) => ('to' in message ? [{ ...message, userId: message.to }] : [])),
      );
      await notifyTopics(
        tx,
        written.flatMap((message) => ('topic' in message ? [message] : [])),
      );
    }),
  );

const isQuiet = ({ data }: Event<object>): boolean => 'isQuiet' in data && data.isQuiet === true;

/**
 * Returns the metadata of a notice's message.
 * @throws when it lacks an id that the action requires
 */
function metadataOf(
  { kind, action }: Pick<Notice, 'kind' | 'action'>,
  { ids = {}, details = {} }: Pick<NoticeMessage, 'ids' | 'details'>,
): Record<string, unknown> {
  if (!action) return details;
  const given = ids as Record<string, unknown>;
  const missing = action.ids.filter((name) => typeof given[name] !== 'string');
  if (missing.length > 0)
    throw new Error(`the notice of ${kind.name} lacks ${missing.join(', ')} of the action ${action.name}`);
  return { ...details, ...ids, action: action.name };
}
