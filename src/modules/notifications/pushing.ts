import type { PushMessage, PushService } from '../../external/push/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { shortenTo } from '../../kernel/text.ts';
import type { ChannelSender, Parcel } from './delivering.ts';
import type { Device } from './devices.store.ts';
import type { DeviceRules } from './devices.ts';

/** More than any device shows of a push. */
const MAX_DIGEST_LENGTH = 500;

/** A push of one notification, or of what came together in an hour. Values of `data` are text, as push services ask. */
function pushOf({ shown, total }: Parcel): PushMessage {
  const [first] = shown as [Parcel['shown'][number]];
  if (total > 1)
    return {
      title: `${total} new notifications`,
      body: shortenTo(shown.map(({ title }) => title).join(', '), MAX_DIGEST_LENGTH),
      data: { action: 'open-notifications' },
    };
  const { icon, badge, ...metadata } = first.metadata;
  const texts = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    title: first.title,
    body: first.message,
    ...(typeof icon === 'string' ? { icon } : {}),
    ...(typeof badge === 'string' ? { badge } : {}),
    data: { ...Object.fromEntries(texts), type: first.type, notificationId: first.notificationId },
  };
}

/** Who carries pushes to phones, and who to browsers; without one, its devices are not reached. */
export interface PushServices {
  phones: PushService | undefined;
  browsers: PushService;
}

interface PushDeps {
  services: PushServices;
  devices: DeviceRules;
}

/**
 * To every device of a member. A token that the service calls dead is removed. Once one device has it, it counts as
 * sent: trying again for the others would show it twice on that one.
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
    // Side by side: a service that hangs does not keep the member's other devices waiting.
    await Promise.all((await devices.of(userId)).map(pushTo));
    return { reached, ...(fault ? { fault } : {}) };
  };
}

export type Pusher = ReturnType<typeof pusher>;

export const pushCarrier =
  (push: Pusher): ChannelSender =>
  async (parcel) => {
    const { reached, fault } = await push(parcel.userId, pushOf(parcel));
    if (reached > 0) return { status: 'sent', ...(fault ? { error: fault.message } : {}) };
    if (fault) throw fault;
    return { status: 'unavailable', error: 'the member has no device that is signed in' };
  };
