import { facts, type Measures } from '../analytics/contract.ts';
import { userSignedUp } from './contract.ts';
import type { UserStore } from './users/users.store.ts';

export const identityMeasures = ({ countBetween }: Pick<UserStore, 'countBetween'>): Measures => ({
  facts: [facts(userSignedUp, ({ userId }) => [{ userId, name: 'signup.completed', type: 'conversion' }])],
  between: countBetween,
});
