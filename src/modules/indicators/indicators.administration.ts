import type { Core } from '../../kernel/core.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { beginningWith, type LookUp, matchOf, type UserOverviewPart } from '../administration/contract.ts';
import type { Contributions } from '../module.ts';
import { OverviewGrants } from './access/access.schemas.ts';
import type { RosterStore } from './access/roster.store.ts';
import type { Roster } from './access/roster.ts';

/** How long a grant may be in progress before it is listed: longer than an outage that the retries bridge. */
const STUCK_MS = HOUR_MS;

/** The identifiers by which grants are found: the id, or the beginning of the username at the charting platform. */
const grantLookUp = ({ findNamed }: Pick<RosterStore, 'findNamed'>): LookUp => ({
  type: 'grant',
  find: async ({ id, lowerCase }, limit) => {
    const handle = lowerCase.replace(/^@/, '');
    if (handle === '') return [];
    return (await findNamed(id, beginningWith(handle), limit)).map((grant) => ({
      id: grant.id,
      title: `${grant.handle}: ${grant.indicatorName}, ${grant.status}`,
      userId: grant.userId,
      match: grant.id === id ? 'id' : (matchOf(handle, [grant.handle]) ?? 'beginning'),
    }));
  },
});

const grantsOfUser = ({ grantsOf }: Pick<Roster, 'grantsOf'>): UserOverviewPart => ({
  name: 'grants',
  shape: OverviewGrants,
  read: (userId) => grantsOf(userId),
});

/** The parts of overviews and the search of grants. */
export const indicatorAdministration = (
  store: RosterStore,
  roster: Roster,
  { clock }: Pick<Core, 'clock'>,
): Required<Pick<Contributions, 'lookUps' | 'userOverview' | 'worklists'>> => ({
  worklists: [
    { name: 'failedGrants', read: store.failedBacklog },
    { name: 'stuckGrants', read: () => store.stuckBacklog(new Date(clock.now() - STUCK_MS)) },
  ],
  lookUps: [grantLookUp(store)],
  userOverview: [grantsOfUser(roster)],
});
