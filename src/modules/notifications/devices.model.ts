import type { PushKeys } from '../../external/push/port.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export interface Device {
  id: ObjectId;
  /** The push service's identifier of the device; for a browser, its subscription URL. */
  token: string;
  /** For browsers only. */
  keys: PushKeys | null;
  platform: 'ios' | 'android' | 'web';
  name: string | null;
  /** What the app calls the device, whatever its token is. */
  deviceId: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}
