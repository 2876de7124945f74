/** What a push shows (part 2: title, body, icon, badge, data). */
export interface PushMessage {
  title: string;
  body: string;
  icon?: string;
  badge?: string;
  data: Record<string, string>;
}

/** Who carries pushes. */
export interface PushService {
  /**
   * Resolves once the service has taken it over: `gone` when it says that it does not know the device any more.
   * @param token the service's name of the device
   * @throws when trying again later makes sense
   */
  send(token: string, message: PushMessage): Promise<'sent' | 'gone'>;
}
