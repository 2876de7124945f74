import { facts, type Measures } from '../analytics/contract.ts';
import { livestreamStarted } from './contract.ts';

export const livestreamMeasures: Measures = {
  facts: [
    facts(livestreamStarted, ({ hostId, livestreamId }) => [
      { userId: hostId, name: 'livestream.started', type: 'engagement', metadata: { livestreamId } },
    ]),
  ],
};
