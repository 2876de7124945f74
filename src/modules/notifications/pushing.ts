import type { PushMessage, PushService } from '../../external/push/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { shortenTo } from '../../kernel/text/text.ts';
import type { ChannelSender, Parcel } from './delivering.ts';
import type { Device } from './devices.model.ts';
import type { DeviceRules } from './devices.ts';
import { OPEN_NOTIFICATIONS } from './vocabulary.model.ts';

/** Longer than any device displays. */
const MAX_DIGEST_LENGTH = 500;

/** Returns the push for a single notification or an hourly digest. Push services require text values in `data`. */
function pushOf({ listed, total }: Parcel): PushMessage {
  const [first] = listed as [Parcel['listed'][number]];
  if (total > 1)
    return {
      title: `${total} new notifications`,
      body: shortenTo(listed.map(({ title }) => title).join(', '), MAX_DIGEST_LENGTH),
      data: { action: OPEN_NOTIFICATIONS.name },
    };
  const { icon, badge } = first.metadata;
  const iconFields = typeof icon === 'string' ? { icon } : {};
  const badgeFields = typeof badge === 'string' || typeof badge === 'number' ? { badge } : {};
  const texts = Object.entries(first.metadata)
    .filter(([name]) => !Object.hasOwn(iconFields, name) && !Object.hasOwn(badgeFields, name))
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return {
    title: first.title,
    body: first.message,
    ...iconFields,
    ...badgeFields,
    data: { ...Object.fromEntries(texts), type: first.type, notificationId: first.notificationId },
  };
}

/** The push services for phones and for browsers; without a service, its devices receive no pushes. */
export interface PushServices {
  phones: PushService | undefined;
  browsers: PushService;
}

interface PushDeps {
  services: PushServices;
  devices: DeviceRules;
}

/**
 * Pushes to every device of a member. Deletes devices that the service reports as gone. Counts as sent once one device
 * is reached, because a retry for the others would show the notification there twice.
 */
export function pusher({ services, devices }: PushDeps) {
  return async (userId: ObjectId, message: PushMessage): Promise<{ reached: number; fault?: Error }> => {
    let reached = 0;
    let fault: Error | undefined;
    async function pushTo({ token, keys }: Device): Promise<void> {
      const service = keys ? services.browsers : services.phones;
      if (!service) return;
      try {
        if ((await service.send({ token, keys: keys ?? undefined }, message)) === 'sent') reached++;
        else await devices.unregister(userId, token);
      } catch (error) {
        fault = error as Error;
      }
    }
    // Concurrent, so that an unresponsive service does not delay the member's other devices.
    await Promise.all((await devices.of(userId)).map(pushTo));
    return { reached, ...(fault ? { fault } : {}) };
  };
}

export type Pusher = ReturnType<typeof pusher>;

export const pushSender =
  (push: Pusher): ChannelSender =>
  async (parcel) => {
    const { reached, fault } = await push(parcel.userId, pushOf(parcel));
    if (reached > 0) return { status: 'sent', ...(fault ? { error: fault.message } : {}) };
    if (fault) throw fault;
    return { status: 'unavailable', error: 'the member has no device that is signed in' };
  };
