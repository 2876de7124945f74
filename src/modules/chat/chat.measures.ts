import { facts, type Measures } from '../analytics/contract.ts';
import { messageSent } from './contract.ts';

export const chatMeasures: Measures = {
  facts: [
    facts(messageSent, ({ userId, roomId, messageId }) => [
      { userId, name: 'message.sent', type: 'engagement', metadata: { roomId, messageId } },
    ]),
  ],
};
