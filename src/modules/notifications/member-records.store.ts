import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const notificationRecords: MemberRecords[] = [
  {
    name: 'notifications',
    isErased: true,
    tables: ['notifications.notification', 'notifications.tally'],
    count: counting('notifications.count-of-member', 'notifications.notification where user_id = $1'),
  },
  {
    name: 'deliveries',
    isErased: true,
    tables: ['notifications.delivery'],
    count: counting('notifications.count-deliveries', 'notifications.delivery where user_id = $1'),
  },
  {
    name: 'pushDevices',
    isErased: true,
    tables: ['notifications.device'],
    count: counting('notifications.count-devices', 'notifications.device where user_id = $1'),
  },
  {
    name: 'topicSubscriptions',
    isErased: true,
    tables: ['notifications.topic_subscription', 'notifications.topic_opt_out', 'notifications.preference'],
    count: counting(
      'notifications.count-subscriptions',
      'notifications.topic_subscription where user_id = $1',
    ),
  },
];
