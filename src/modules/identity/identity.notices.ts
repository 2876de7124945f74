import { type Notice, notice } from '../notifications/contract.ts';
import { userSignedUp } from './contract.ts';

export const identityNotices: Notice[] = [
  notice(userSignedUp, ({ userId, firstName }) => [
    {
      to: userId,
      type: 'welcome',
      // The welcome by e-mail is a mail of its own.
      channels: ['push'],
      title: `Welcome, ${firstName}`,
      message: 'Your account is ready. We are glad that you are here.',
    },
  ]),
];
