import type { Area } from '../cases.ts';

const SECTION = 'part 2, "Notifications"';

export const notifications: Area = {
  name: 'notifications',
  cases: [
    {
      title: 'an administrator notifies a member, who reads and deletes it',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const member = await trial.at.newMember();
        /** Other notifications, such as the welcome, may arrive meanwhile; they are left out. */
        const unread = async () =>
          (await trial.get(member, '/v1/notifications?type=achievement&read=false')).body.pagination.total;
        const { count } = (await trial.get(member, '/v1/notifications/unread-count')).body.data;
        trial.ok(Number.isInteger(count), 'the count is no whole number');
        const body = {
          userId: member.id,
          type: 'achievement',
          title: 'Done',
          message: 'Well done.',
          channels: ['push'],
        };
        trial.accepted(await trial.post(trial.at.admin, '/v1/notifications/send', body), 201);
        const answer = await trial.eventually(
          () => trial.get(member, '/v1/notifications?type=achievement'),
          ({ body: { data } }) => data.length === 1,
          'the notification',
        );
        const [notification] = answer.body.data;
        trial.shape(notification, {
          id: 'id',
          userId: 'id',
          channels: 'array',
          metadata: 'object',
          createdAt: 'instant',
        });
        trial.equal(
          [notification.title, notification.read, notification.priority],
          ['Done', false, 'low'],
          'the notification',
        );
        trial.equal(await unread(), 1, 'the number of unread ones');
        trial.accepted(await trial.put(member, `/v1/notifications/${notification.id}/read`), 200);
        trial.equal(await unread(), 0, 'the number of unread ones after reading');
        const other = await trial.at.member('ada');
        trial.refused(await trial.put(other, `/v1/notifications/${notification.id}/read`), 404);
        trial.refused(await trial.delete(other, `/v1/notifications/${notification.id}`), 404);
        trial.accepted(await trial.delete(member, `/v1/notifications/${notification.id}`), 200);
        trial.refused(await trial.delete(member, `/v1/notifications/${notification.id}`), 404);
        for (const wrong of [{ type: 'joke' }, { priority: 'huge' }, { channels: ['fax'] }, { title: 5 }])
          trial.refused(
            await trial.post(trial.at.admin, '/v1/notifications/send', { ...body, ...wrong }),
            422,
          );
        const nobody = { ...body, userId: 'f'.repeat(24) };
        trial.refused(await trial.post(trial.at.admin, '/v1/notifications/send', nobody), 404);
      },
    },
    {
      title: 'all are marked as read, and counted in the message',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const member = await trial.at.newMember();
        const notification = {
          type: 'achievement',
          title: 'Done',
          message: 'Well done.',
          channels: ['push'],
        };
        const bulk = { userIds: [member.id], notification };
        const unread = () => trial.get(member, '/v1/notifications?type=achievement&read=false');
        for (const times of [1, 2]) {
          trial.accepted(await trial.post(trial.at.admin, '/v1/notifications/send-bulk', bulk), 201);
          await trial.eventually(unread, ({ body }) => body.pagination.total === times, 'the notification');
        }
        const answer = await trial.put(member, '/v1/notifications/read-all');
        // Other notifications, such as the welcome, may have arrived meanwhile.
        const { count } = trial.accepted(answer, 200);
        trial.ok(count >= 2, `two were unread, but ${count} were marked`);
        trial.equal(answer.body.message, `${count} notifications marked as read`, '"message"');
        trial.equal((await unread()).body.data, [], 'the unread ones');
      },
    },
    {
      title: 'devices and preferences are the member’s own',
      section: 'part 2, "Notifications"',
      run: async (trial) => {
        const member = await trial.at.newMember();
        const preferences = { email: { enabled: false, types: [] } };
        const answer = await trial.put(member, '/push-notifications/preferences', { preferences });
        trial.equal(trial.accepted(answer, 200).preferences.email.enabled, false, '"email.enabled"');
        for (const wrong of [{ email: { enabled: 'no' } }, { email: { types: ['joke'] } }])
          trial.refused(
            await trial.put(member, '/push-notifications/preferences', { preferences: wrong }),
            422,
          );
        const quiet = { quietHours: { from: '22:00', to: '22:00', timeZone: 'UTC' } };
        trial.refused(
          await trial.put(member, '/push-notifications/preferences', { preferences: quiet }),
          422,
        );
        trial.equal(
          trial.accepted(await trial.get(member, '/push-notifications/devices'), 200),
          [],
          'the devices',
        );
      },
    },
  ],
};
