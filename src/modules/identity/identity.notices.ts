import { type Notice, type NotificationType, notice } from '../notifications/contract.ts';
import { userSignedUp } from './contract.ts';
import type { UserStore } from './users/users.store.ts';

const WELCOME: NotificationType = { name: 'welcome', priority: 'medium', channels: ['email', 'push'] };

export const identityNotices = ({ contactsOf }: Pick<UserStore, 'contactsOf'>): Notice[] => [
  notice(userSignedUp, {
    type: WELCOME,
    read: async (all, queries) => {
      const contacts = await contactsOf(
        all.map(({ userId }) => userId),
        queries,
      );
      return new Map(contacts.map(({ userId, firstName }) => [userId, firstName]));
    },
    write: ({ userId }, firstNames) => {
      const firstName = firstNames.get(userId);
      if (firstName === undefined) return [];
      return [
        {
          to: userId,
          isMailedApart: true,
          title: `Welcome, ${firstName}`,
          message: 'Your account is ready. We are glad to have you.',
        },
      ];
    },
  }),
];
