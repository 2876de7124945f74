import type { Measures } from '../analytics/contract.ts';
import type { Watching } from './contract.ts';

/** Content types that count as education; streams, meetings and stories do not. */
const LESSONS = ['lesson', 'video'] as const;

export const watchingMeasures = ({ totals }: Pick<Watching, 'totals'>): Measures => ({
  async between(from, to) {
    const watched = await Promise.all(LESSONS.map((contentType) => totals({ from, to, contentType })));
    return { watchSeconds: watched.reduce((sum, { watchSecs }) => sum + watchSecs, 0) };
  },
});
