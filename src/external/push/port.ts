/** What a push shows (part 2: title, body, icon, badge, data). */
export interface PushMessage {
  title: string;
  body: string;
  icon?: string;
  badge?: string;
  data: Record<string, string>;
}

/** What encrypts pushes for a browser (RFC 8291), in base64url: its public key and a secret shared with it. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Where a push goes. */
interface PushTarget {
  /** The service's name of the device; of a browser the URL of its subscription. */
  token: string;
  /** Of a browser. */
  keys?: PushKeys | undefined;
}

/** Who carries pushes. */
export interface PushService {
  /**
   * Resolves once the service has taken it over: `gone` when it says that it does not know the device any more.
   * @throws when trying again later makes sense
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
}
