import { type Notice, notice } from '../notifications/contract.ts';
import { userSignedUp } from './contract.ts';

export const identityNotices: Notice[] = [
  notice(userSignedUp, ({ userId, firstName }) => [
    {
      to: userId,
      type: 'welcome',
      // The welcome e-mail is sent separately.
      channels: ['push'],
      title: `Welcome, ${firstName}`,
      message: 'Your account is ready. We are glad to have you.',
    },
  ]),
];
