import { Count, figures, type Measures } from '../analytics/contract.ts';
import type { Watching } from './contract.ts';

/** Content types that count as education; streams, meetings and stories do not. */
const LESSONS = ['lesson', 'video'] as const;

export const watchingMeasures = ({ seconds }: Pick<Watching, 'seconds'>): Measures => ({
  tracked: { names: ['video.play', 'video.complete'] },
  ofPlatform: [
    figures('education', { totalWatchTime: { ...Count, description: 'Seconds' } }, async ({ from, to }) => ({
      totalWatchTime: await seconds({ from, to }, LESSONS),
    })),
  ],
});
