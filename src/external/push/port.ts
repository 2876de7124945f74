/** The content of a push. */
export interface PushMessage {
  title: string;
  body: string;
  /** The URL of an image, or the name of a resource of an Android app. */
  icon?: string;
  /** The number at the app's icon or, for browsers, the URL of an image. */
  badge?: string | number;
  /** Everything else, for the app. */
  data: Record<string, string>;
}

/** The keys that encrypt pushes for a browser (RFC 8291), in base64url: its public key and a shared secret. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** The destination of a push. */
interface PushTarget {
  /** The service's token of the device, or the URL of a browser's subscription. */
  token: string;
  /** The keys of a browser. */
  keys?: PushKeys | undefined;
}

/** Delivers pushes. */
export interface PushService {
  /**
   * Resolves to `sent` once the service has accepted the push, or to `gone` when it no longer knows the device.
   * @throws when a later retry may succeed
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
}
