import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Device } from './devices.model.ts';

/** A device with the session that registered it; null if registered before sessions were recorded. */
export interface RegisteredDevice extends Device {
  sessionId: ObjectId | null;
}

/** Maximum number of devices per member; the least recently seen is removed first. */
const MAX_DEVICES = 20;

const COLUMNS = 'id, token, keys, platform, name, device_id, created_at, last_seen_at';

const findAll = statement<RegisteredDevice & { userId: ObjectId }>(
  'notifications.devices',
  `select member.user_id as "userId", device.* from unnest($1::text[]) as member (user_id)
     cross join lateral (
       select id, token, keys, platform, name, device_id as "deviceId", created_at as "createdAt", last_seen_at as "lastSeenAt",
         session_id as "sessionId"
       from notifications.device where device.user_id = member.user_id order by id desc limit ${MAX_DEVICES}) device`,
);

export function deviceStore(database: Database) {
  return {
    /** Returns those of the members who have a device. */
    async reachable(queries: Queries, userIds: ObjectId[]): Promise<Set<ObjectId>> {
      const rows = await queries.all<{ userId: ObjectId }>(
        'select distinct user_id from notifications.device where user_id = any($1)',
        [userIds],
      );
      return new Set(rows.map(({ userId }) => userId));
    },

    /** Returns the devices of each of these different members, in their order, newest first. */
    async ofAll(userIds: ObjectId[]): Promise<RegisteredDevice[][]> {
      const rows = await database.all(findAll, [userIds]);
      const devicesOf = Map.groupBy(rows, ({ userId }) => userId);
      return userIds.map((userId) => (devicesOf.get(userId) ?? []).map(({ userId: _, ...device }) => device));
    },

    pageOf: (userId: ObjectId, request: PageRequest): Promise<Page<Device>> =>
      readPage(
        database,
        { columns: COLUMNS, from: 'notifications.device where user_id = $1', orderBy: 'id desc' },
        [userId],
        request,
      ),

    /**
     * Registers a device. A token belongs to the member who registered it last, for example after signing in to another
     * account; a device with a `deviceId` has one token.
     */
    async register(
      userId: ObjectId,
      {
        id,
        token,
        keys,
        platform,
        name,
        deviceId,
        sessionId,
      }: Omit<RegisteredDevice, 'createdAt' | 'lastSeenAt'>,
      at: Date,
    ): Promise<Device> {
      return database.transaction(async (tx) => {
        await tx.lock('notifications.devices', userId);
        // All that it may change, in one order: two members who take over each other's tokens would wait for one another.
        await tx.execute(
          'select from notifications.device where user_id = $1 or token = $2 order by id for update',
          [userId, token],
        );
        await tx.execute(
          'delete from notifications.device where user_id = $1 and device_id = $2 and token <> $3',
          [userId, deviceId, token],
        );
        const device = await tx.first<Device>(
          `insert into notifications.device
             (id, user_id, token, keys, platform, name, device_id, created_at, last_seen_at, session_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
           on conflict (token) do update set user_id = excluded.user_id, keys = excluded.keys, platform = excluded.platform,
             name = excluded.name, device_id = excluded.device_id, last_seen_at = excluded.last_seen_at, session_id = excluded.session_id
           returning ${COLUMNS}`,
          [id, userId, token, keys && JSON.stringify(keys), platform, name, deviceId, at, sessionId],
        );
        await tx.execute(
          `delete from notifications.device where id in (
             select id from notifications.device where user_id = $1 order by last_seen_at desc, id desc offset ${MAX_DEVICES})`,
          [userId],
        );
        return device as Device;
      });
    },

    /** Deletes devices, except those that another session has registered in the meantime. */
    async forget(devices: Pick<RegisteredDevice, 'id' | 'sessionId'>[]): Promise<void> {
      if (devices.length === 0) return;
      await database.execute(
        `delete from notifications.device using unnest($1::text[], $2::text[]) as gone (id, session_id)
         where device.id = gone.id and device.session_id is not distinct from gone.session_id`,
        [devices.map(({ id }) => id), devices.map(({ sessionId }) => sessionId)],
      );
    },

    /** Assigns a device to the session that replaced the one that registered it. */
    async handOver(
      { id, sessionId }: Pick<RegisteredDevice, 'id' | 'sessionId'>,
      to: ObjectId,
    ): Promise<void> {
      await database.execute(
        'update notifications.device set session_id = $3 where id = $1 and session_id = $2',
        [id, sessionId, to],
      );
    },

    /** Deletes a device; returns whether it existed. */
    async unregister(userId: ObjectId, token: string): Promise<boolean> {
      return (
        (await database.execute(
          'delete from notifications.device where user_id = $1 and token = $2 returning id',
          [userId, token],
        )) > 0
      );
    },
  };
}

export type DeviceStore = ReturnType<typeof deviceStore>;
