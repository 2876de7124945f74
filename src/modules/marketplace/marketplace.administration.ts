import { beginningWith, type LookUp, matchOf, type UserOverviewPart } from '../administration/contract.ts';
import type { Contributions } from '../module.ts';
import { OverviewRequests, SHOWN_REQUESTS } from './requests.schemas.ts';
import type { RequestStore } from './requests.store.ts';

/**
 * The identifiers by which requests are found: the id, the entered e-mail address, or the beginning of the charting
 * id.
 */
const requestLookUp = ({ findNamedBy }: RequestStore): LookUp => ({
  type: 'request',
  find: async ({ id, lowerCase }, limit) => {
    const chartingId = lowerCase.replace(/^@/, '');
    if (chartingId === '') return [];
    const sought = { id, email: lowerCase, pattern: beginningWith(chartingId) };
    return (await findNamedBy(sought, limit)).map((request) => {
      const named = matchOf(chartingId, [request.email, request.chartingId]) ?? 'beginning';
      return {
        id: request.id,
        title: `${request.productName} for ${request.fullName} (${request.email}), ${request.status}`,
        userId: request.userId,
        match: request.id === id ? 'id' : named,
      };
    });
  },
});

const requestsOfUser = ({ newestOf }: RequestStore): UserOverviewPart => ({
  name: 'requests',
  shape: OverviewRequests,
  read: (userId) => newestOf(userId, SHOWN_REQUESTS),
});

/** The search of requests, and their part of overviews. */
export const marketplaceAdministration = (
  store: RequestStore,
): Required<Pick<Contributions, 'lookUps' | 'userOverview'>> => ({
  lookUps: [requestLookUp(store)],
  userOverview: [requestsOfUser(store)],
});
