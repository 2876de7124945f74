import {
  counting,
  EXPORTED_AT_ONCE,
  exporting,
  exportingBy,
  type MemberRecords,
} from '../../kernel/records/member-records.ts';

export const notificationRecords: MemberRecords[] = [
  {
    name: 'notifications',
    isErased: true,
    tables: ['notifications.notification', 'notifications.tally', 'notifications.told'],
    count: counting('notifications.count-of-member', 'notifications.notification where user_id = $1'),
    exported: [
      exporting('notifications', {
        about: 'What you were notified of',
        columns: `id, type, title, message, priority, channels, read_at, created_at`,
        from: 'notifications.notification where user_id = $1',
        wordsOfOthers: ['title', 'message'],
      }),
    ],
  },
  {
    name: 'deliveries',
    isErased: true,
    tables: ['notifications.delivery'],
    count: counting('notifications.count-deliveries', 'notifications.delivery where user_id = $1'),
    exported: [
      exportingBy('notification-deliveries', {
        about: 'What was sent to you by mail or push',
        wordsOfOthers: ['mailTitle'],
        // Includes ties, because a page that ended among the channels of a notification would need a sort to
        // continue.
        page: `select notification_id, channel, kind, mail_type, mail_title, recipient, status, created_at, settled_at,
            notification_id as cursor
          from notifications.delivery where user_id = $1 and notification_id > $2
          order by notification_id fetch first ${EXPORTED_AT_ONCE} rows with ties`,
      }),
    ],
  },
  {
    name: 'pushDevices',
    isErased: true,
    tables: ['notifications.device'],
    count: counting('notifications.count-devices', 'notifications.device where user_id = $1'),
    exported: [
      exporting('push-devices', {
        about: 'The devices that get push notifications',
        columns: `id, platform, name, device_id, created_at, last_seen_at`,
        from: 'notifications.device where user_id = $1',
      }),
    ],
  },
  {
    name: 'topicSubscriptions',
    isErased: true,
    tables: ['notifications.topic_subscription', 'notifications.topic_opt_out', 'notifications.preference'],
    count: counting(
      'notifications.count-subscriptions',
      'notifications.topic_subscription where user_id = $1',
    ),
    exported: [
      exporting('topics', {
        about: 'The topics that you subscribe to',
        columns: `topic, created_at`,
        from: 'notifications.topic_subscription where user_id = $1',
        key: 'topic',
        areFew: true,
      }),
      exporting('topic-opt-outs', {
        about: 'The topics that you do not want to hear of',
        columns: `topic, created_at`,
        // Those of a block would tell whom somebody else has blocked.
        from: 'notifications.topic_opt_out where user_id = $1 and is_own',
        key: 'topic',
        areFew: true,
      }),
      exporting('preferences', {
        about: 'How you want to be notified',
        columns: `preferences, updated_at`,
        from: 'notifications.preference where user_id = $1',
        key: 'user_id',
      }),
    ],
  },
];
