import type { Measures } from '../analytics/contract.ts';
import type { Watching } from './contract.ts';

/** Content types that count as education; streams, meetings and stories do not. */
const LESSONS = ['lesson', 'video'] as const;

export const watchingMeasures = ({ seconds }: Pick<Watching, 'seconds'>): Measures => ({
  between: async (from, to) => ({ watchSeconds: await seconds({ from, to }, LESSONS) }),
});
