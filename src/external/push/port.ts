/** What a push shows (part 2: title, body, icon, badge, data). */
export interface PushMessage {
  title: string;
  body: string;
  icon?: string;
  badge?: string;
  data: Record<string, string>;
}

/** Where a push goes: a token of the push service's, or a browser's subscription. */
interface PushTarget {
  token: string;
  /** Of a browser's subscription: its keys (RFC 8291), in base64url. */
  keys: { p256dh: string; auth: string } | null;
}

/** Who carries pushes. */
export interface PushService {
  /**
   * Resolves once the service has taken it over: `gone` when it says that the target is no more.
   * @throws when trying again later makes sense
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
}
