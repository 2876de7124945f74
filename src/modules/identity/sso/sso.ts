import {
  authenticationFailed,
  type Customer,
  type CustomerDirectory,
} from '../../../external/directory/port.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import type { OwnProfile } from '../identity.schemas.ts';
import { ownProfileOf } from '../profile/profile.ts';
import type { Place } from '../sessions/opening.ts';
import type { Tokens } from '../sessions/refresh-tokens.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import type { User } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import type { UserRules } from '../users/users.ts';
import { invalidSsoToken, type SsoPass, type SsoTokens } from './sso-tokens.ts';

export interface SsoRequest {
  userId?: string;
  customerId?: string;
  /** Tokens of the customer directory. */
  tokens: Tokens;
  place: Place;
}

export interface SsoResult extends Tokens {
  user: OwnProfile;
  /** URL of the live platform with a single sign-on token; only on `livestream`. */
  redirectUrl?: string;
}

interface SsoDeps {
  users: UserRules;
  store: UserStore;
  sessions: SessionRules;
  directory: CustomerDirectory;
  ssoTokens: SsoTokens;
  livePlatformUrl: string | undefined;
}

/** Single sign-on: sign-in without a password, with tokens that the customer directory verifies. */
export function ssoRules({ users, store, sessions, directory, ssoTokens, livePlatformUrl }: SsoDeps) {
  /** Returns whether a customer is the one named in the request. */
  const isNamed =
    ({ userId, customerId }: SsoRequest) =>
    (customer: Customer, account: User | undefined): boolean =>
      (userId === undefined || account?.id === userId) &&
      (customerId === undefined || [customer.customerId, account?.customerId].includes(customerId));

  return {
    /**
     * Signs in the customer to whom the tokens belong, if the request names the same customer.
     * @throws authenticationFailed, accountInactive, noPlatformAccess
     */
    async signIn(request: SsoRequest, facts: RequestFacts): Promise<SsoResult> {
      const { platform } = request.place;
      const { userId, customerId } = request;
      const before =
        userId === undefined ? await store.findByCustomerId(customerId as string) : await store.find(userId);
      const { user, parentSessionId } = await users.admit(platform, before, {
        verify: async () => {
          const vouched = await directory.customerOf(request.tokens);
          if (!vouched) throw authenticationFailed();
          return vouched;
        },
        isExpected: isNamed(request),
      });
      if (platform === 'livestream' && livePlatformUrl === undefined)
        throw serviceUnavailable('LIVE_PLATFORM_URL is not set');
      const opening = { place: request.place, method: 'sso' as const, facts };
      const { sessionId, ...tokens } = await sessions.open({ user, parentSessionId }, opening);
      if (platform !== 'livestream') return { ...tokens, user: ownProfileOf(user) };
      const { id, email, firstName, lastName } = user;
      const token = await ssoTokens.issue({ user: { id, email, firstName, lastName }, sessionId, tokens });
      const redirectUrl = new URL(livePlatformUrl as string);
      redirectUrl.searchParams.set('token', token);
      return { ...tokens, user: ownProfileOf(user), redirectUrl: redirectUrl.href };
    },
    /** Redeems a signed token, once, while its session is active. @throws invalidSsoToken */
    async redeem(token: string): Promise<SsoPass> {
      const pass = await ssoTokens.redeem(token);
      if (await sessions.hasEnded(pass.sessionId)) throw invalidSsoToken();
      return pass;
    },
  };
}

export type SsoRules = ReturnType<typeof ssoRules>;
