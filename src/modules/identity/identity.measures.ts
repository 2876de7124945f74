import { Count, facts, figures, type Measures } from '../analytics/contract.ts';
import { userSignedUp } from './contract.ts';
import type { UserStore } from './users/users.store.ts';

export const identityMeasures = ({ countBetween }: Pick<UserStore, 'countBetween'>): Measures => ({
  facts: [facts(userSignedUp, ({ userId }) => [{ userId, name: 'signup.completed', type: 'conversion' }])],
  tracked: { names: ['signup.started', 'signup.completed'], types: ['conversion'] },
  ofPlatform: [
    figures('overview', { totalUsers: Count, newUsers: Count }, ({ from, to }) => countBetween(from, to)),
  ],
});
