import type { PushMessage, PushService } from '../../external/push/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Delivery } from './deliveries.store.ts';
import type { Carrier } from './delivering.ts';
import type { DeviceStore } from './devices.store.ts';

type Shown = Pick<Delivery, 'title' | 'message' | 'type' | 'metadata' | 'notificationId'>;

/** A push of one notification, or of what came together in an hour. Values of `data` are text, as push services ask. */
function pushOf(all: Shown[]): PushMessage {
  const [first] = all as [Shown];
  if (all.length > 1)
    return {
      title: `${all.length} new notifications`,
      body: all.map(({ title }) => title).join(', '),
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

interface PushNeeds {
  services: PushServices;
  devices: DeviceStore;
}

/**
 * To every device of a member. A token that the service calls dead is removed. Once one device has it, it counts as
 * sent: trying again for the others would show it twice on that one.
 */
export function pusher({ services, devices }: PushNeeds) {
  return async (userId: ObjectId, message: PushMessage): Promise<{ reached: number; fault?: Error }> => {
    let reached = 0;
    let fault: Error | undefined;
    for (const { token, keys } of await devices.of(userId)) {
      const service = keys ? services.browsers : services.phones;
      if (!service) continue;
      try {
        if ((await service.send({ token, keys: keys ?? undefined }, message)) === 'sent') reached++;
        else await devices.unregister(userId, token);
      } catch (error) {
        fault = error as Error;
      }
    }
    return { reached, ...(fault ? { fault } : {}) };
  };
}

export type Pusher = ReturnType<typeof pusher>;

export const pushCarrier =
  (push: Pusher): Carrier =>
  async (userId, _id, all) => {
    const { reached, fault } = await push(userId, pushOf(all));
    if (reached > 0) return { status: 'sent', ...(fault ? { error: fault.message } : {}) };
    if (fault) throw fault;
    return { status: 'unavailable', error: 'the member has no device' };
  };
