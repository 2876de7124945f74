import { batching } from '../../kernel/concurrency/batching.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Device } from './devices.model.ts';
import type { DeviceStore, RegisteredDevice } from './devices.store.ts';

interface DeviceDeps {
  store: DeviceStore;
  /** Maps each active session to itself, and a replaced one to its active replacement; omits ended ones. */
  activeSessionsOf: (sessionIds: ObjectId[]) => Promise<Map<ObjectId, ObjectId>>;
}

/**
 * The devices of members. A device belongs to the session that registered it: once that session has ended, the device
 * receives no pushes, and is deleted on its next use. Checked on each push, including queued and retried ones.
 */
export function deviceRules({ store, activeSessionsOf }: DeviceDeps) {
  const shared = { maxSize: 500, concurrency: 2, maxQueued: 10_000, onOverflow: serviceUnavailable };
  const registeredOf = batching<ObjectId, RegisteredDevice[]>(async (userIds) => {
    const members = [...new Set(userIds)];
    const devices = await store.ofAll(members);
    const found = new Map(members.map((userId, place) => [userId, devices[place] ?? []]));
    return userIds.map((userId) => found.get(userId) ?? []);
  }, shared);
  const activeSessionOf = batching<ObjectId, ObjectId | undefined>(async (sessionIds) => {
    const living = await activeSessionsOf([...new Set(sessionIds)]);
    return sessionIds.map((id) => living.get(id));
  }, shared);

  /** Returns a member's devices that may receive pushes now. */
  async function of(userId: ObjectId): Promise<Device[]> {
    const all = await registeredOf(userId);
    const known = await Promise.all(
      all.map(async (device) => ({
        device,
        living: device.sessionId === null ? undefined : await activeSessionOf(device.sessionId),
      })),
    );
    await store.forget(known.filter(({ living }) => living === undefined).map(({ device }) => device));
    const reachable: Device[] = [];
    for (const { device, living } of known) {
      if (living === undefined) continue;
      if (living !== device.sessionId) await store.handOver(device, living);
      reachable.push(device);
    }
    return reachable;
  }

  return {
    of,
    reachable: store.reachable,
    register: store.register,
    unregister: store.unregister,
    async pageOf(userId: ObjectId, request: PageRequest): Promise<Page<Device>> {
      await of(userId); // deletes devices whose session has ended
      return store.pageOf(userId, request);
    },
  };
}

export type DeviceRules = ReturnType<typeof deviceRules>;
