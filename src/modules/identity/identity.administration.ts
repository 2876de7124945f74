import type { Core } from '../../kernel/core.ts';
import { Failure } from '../../kernel/failures.ts';
import { DaySeriesShape, daySeries } from '../../kernel/operations/series.ts';
import { beginningWith, type LookUp, matchOf, type UserOverviewPart } from '../administration/contract.ts';
import type { Contributions } from '../module.ts';
import { viewOf } from './accounts/accounts.operations.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { FactorStore } from './factors/factors.store.ts';
import { AccountShape } from './identity.schemas.ts';
import { viewFor } from './sessions/sessions.operations.ts';
import type { SessionRules } from './sessions/sessions.ts';
import type { IdentityLookUpStore } from './support/look-ups.store.ts';
import {
  OverviewAccess,
  OverviewFactors,
  OverviewSessions,
  OverviewThrottledSignIns,
  SHOWN_SESSIONS,
} from './support/overview.schemas.ts';
import type { SupportRules } from './support/support.ts';

interface Parts extends Pick<Core, 'clock'> {
  store: IdentityLookUpStore;
  accounts: Pick<Accounts, 'get'>;
  sessions: Pick<SessionRules, 'pageOf'>;
  support: Pick<SupportRules, 'accessOf' | 'throttledOf'>;
  factors: Pick<FactorStore, 'listOf'>;
}

const RANKED = ['id', 'whole', 'beginning'];

const lookUps = ({ findUsers, findSession }: IdentityLookUpStore): LookUp[] => [
  {
    type: 'user',
    find: async ({ id, text, lowerCase }, limit) => {
      const users = await findUsers({ id, text, pattern: beginningWith(lowerCase) }, limit);
      return users
        .map(({ customerId, email, username, firstName, lastName, ...user }) => {
          const name = `${firstName} ${lastName}`;
          const isNamed = user.id === id || customerId === text;
          const match = matchOf(lowerCase, [email, username, name, lastName]) ?? 'beginning';
          const title = `${name.trim()} (${email})`.trim();
          return { id: user.id, title, userId: user.id, match: isNamed ? ('id' as const) : match };
        })
        .sort((a, b) => RANKED.indexOf(a.match) - RANKED.indexOf(b.match) || (a.title < b.title ? -1 : 1))
        .slice(0, limit);
    },
  },
  {
    type: 'session',
    find: async ({ id }) => {
      const session = id && (await findSession(id));
      if (!session) return [];
      const { platform, device, endedAt, userId } = session;
      const title = `${platform}, ${device}${endedAt ? ', ended' : ''}`;
      return [{ id: session.id, title, userId, match: 'id' }];
    },
  },
];

const overview = ({ store, accounts, sessions, support, factors }: Parts): UserOverviewPart[] => [
  { name: 'user', shape: AccountShape, read: async (userId) => viewOf(await accounts.get(userId)) },
  {
    name: 'access',
    shape: OverviewAccess,
    read: async (userId) => {
      const user = await accounts.get(userId);
      return support.accessOf(user).catch((error: unknown) => {
        if (error instanceof Failure && error.status === 503) return null;
        throw error;
      });
    },
  },
  {
    name: 'throttledSignIns',
    shape: OverviewThrottledSignIns,
    read: async (userId) => support.throttledOf(await accounts.get(userId)),
  },
  {
    name: 'sessions',
    shape: OverviewSessions,
    read: async (userId, caller) =>
      (await sessions.pageOf(userId, { page: 1, limit: SHOWN_SESSIONS })).items.map(viewFor(caller)),
  },
  {
    name: 'factors',
    shape: OverviewFactors,
    read: async (userId) => {
      const since = (await store.passwordSince(userId)) ?? null;
      return [{ kind: 'password', since }, ...(await factors.listOf(userId))];
    },
  },
];

/** The records and overviews of users and sessions that identity contributes for administrators. */
export const identityAdministration = (
  parts: Parts,
): Required<Pick<Contributions, 'lookUps' | 'userOverview' | 'overview'>> => ({
  overview: [
    {
      name: 'signIns',
      shape: DaySeriesShape,
      read: () => daySeries(parts.clock.date(), parts.store.countSignIns),
    },
  ],
  lookUps: lookUps(parts.store),
  userOverview: overview(parts),
});
