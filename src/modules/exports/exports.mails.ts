import { type Mail, mail } from '../mail/contract.ts';
import { LINK_HOURS } from './exports.model.ts';
import { exportEndedMail } from './requested-mails.schemas.ts';

const WHOSE = {
  own: 'the export of your data that you asked for',
  support: 'the export of your data that our support began for you',
};

/** The e-mails about exports. They contain no link, so that reading the mailbox is not enough to get the data. */
export const exportMails: Mail[] = [
  mail(exportEndedMail, ({ outcome, isOwn }) => {
    const what = isOwn ? WHOSE.own : WHOSE.support;
    return outcome === 'ready'
      ? {
          subject: 'The export of your data is ready',
          paragraphs: [
            'Hello,',
            `${what} is ready. Sign in to download it within ${LINK_HOURS} hours; after that the file is deleted.`,
            'If you did not expect this, change your password now and contact our support.',
          ],
        }
      : {
          subject: 'The export of your data failed',
          paragraphs: ['Hello,', `${what} could not be made. You can begin another one at any time.`],
        };
  }),
];
