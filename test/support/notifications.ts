import {
  countUnreadNotifications,
  deleteNotification,
  listDeliveries,
  listNotifications,
  sendNotification,
} from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import { until } from './live.ts';
import type { Member, TestPlatform } from './platform.ts';

/** A notification that is not urgent. */
export const QUIET = { type: 'course_update', title: 'A new lesson', message: 'Have a look.' } as const;

/** Helpers of the tests of notifications. */
export function notificationTools(platform: TestPlatform) {
  const { admin } = platform;
  const listOf = async ({ client }: Member, query: TypesOf<typeof listNotifications>['query'] = {}) =>
    (await client.call(listNotifications, { query })).data;
  return {
    send: (body: TypesOf<typeof sendNotification>['body']) => admin.call(sendNotification, { body }),
    listOf,
    unreadOf: async ({ client }: Member): Promise<number> =>
      (await client.call(countUnreadNotifications)).data.count,
    deliveriesOf: async ({ id }: Member) =>
      (await admin.call(listDeliveries, { query: { userId: id } })).data,
    mailsTo: async ({ email }: Member) =>
      (await platform.mailsTo(email)).filter(({ kind }) => kind === 'email.notification'),
    /** Creates a member without notifications: the welcome has arrived and was deleted. */
    async newMember(): Promise<Member> {
      const member = await platform.newMember();
      await until(async () => (await listOf(member)).length === 1, 'the welcome');
      const [welcome] = await listOf(member);
      await member.client.call(deleteNotification, { params: { notificationId: welcome?.id ?? '' } });
      return member;
    },
  };
}
