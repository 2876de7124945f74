import { daysKept } from '../../kernel/records/days-kept.ts';
import type { Setting, ValuesOf } from '../../kernel/settings.ts';

/** The settings of notifications. Deliveries that are under way stay, and so do their notifications. */
export const notificationSettings = {
  retentionDays: daysKept(
    'NOTIFICATION_RETENTION_DAYS',
    180,
    [60, 3650],
    'Days for which members find notifications in their list; whole months (UTC) go at once',
  ),
  deliveryRetentionDays: daysKept(
    'DELIVERY_RETENTION_DAYS',
    90,
    [60, 3650],
    'Days for which administrators find what was sent by e-mail and push; whole months (UTC) go at once',
  ),
} satisfies Record<string, Setting<unknown>>;

export type NotificationSettings = ValuesOf<typeof notificationSettings>;
