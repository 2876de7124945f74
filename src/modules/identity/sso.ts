import { authenticationFailed, type CustomerDirectory } from '../../external/directory/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { RequestFacts } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Place, SessionRules, Tokens } from './sessions.ts';
import { hasPlatformAccess, noPlatformAccess } from './sku-access.ts';
import type { SsoTokens } from './sso-tokens.ts';
import type { User, UserStore } from './users.store.ts';
import { accountInactive } from './users.ts';

export interface SsoRequest {
  userId?: string;
  customerId?: string;
  /** Of the customer directory. */
  tokens: Tokens;
  place: Place;
}

export interface SsoResult extends Tokens {
  user: User;
  /** Where the live platform receives the member; on `livestream` only. */
  redirectUrl?: string;
}

interface SsoNeeds {
  store: UserStore;
  sessions: SessionRules;
  directory: CustomerDirectory;
  ssoTokens: SsoTokens;
  database: Database;
  clock: Clock;
  livePlatformUrl: string | undefined;
}

/** Single sign-on: sign-in without a password, by tokens that the customer directory vouches for. */
export function ssoRules({
  store,
  sessions,
  directory,
  ssoTokens,
  database,
  clock,
  livePlatformUrl,
}: SsoNeeds) {
  /** Who is named, if the tokens are theirs; whom one names proves nothing. @throws authenticationFailed */
  async function provenUser({ userId, customerId, tokens }: SsoRequest): Promise<User> {
    const email = await directory.ownerOf(tokens);
    const user = email === undefined ? undefined : await store.findByEmail(email);
    const isNamed =
      user &&
      (userId === undefined || user.id === userId) &&
      (customerId === undefined || user.customerId === customerId);
    if (!isNamed) throw authenticationFailed();
    return user;
  }

  return {
    /** @throws authenticationFailed, accountInactive, noPlatformAccess */
    async signIn(request: SsoRequest, facts: RequestFacts): Promise<SsoResult> {
      const user = await provenUser(request);
      const { platform } = request.place;
      if (!user.isActive) throw accountInactive();
      const products = await directory.products(user.email);
      if (!hasPlatformAccess(platform, products, clock.now())) throw noPlatformAccess(platform);
      if (platform === 'livestream' && livePlatformUrl === undefined) throw serviceUnavailable();
      const { sessionId, ...tokens } = await database.transaction((tx) =>
        sessions.open(tx, user, request.place, facts),
      );
      if (platform !== 'livestream') return { ...tokens, user };
      const { id, email, firstName, lastName } = user;
      const token = await ssoTokens.issue({ user: { id, email, firstName, lastName }, sessionId, tokens });
      const redirectUrl = new URL(livePlatformUrl as string);
      redirectUrl.searchParams.set('token', token);
      return { ...tokens, user, redirectUrl: redirectUrl.href };
    },
    redeem: ssoTokens.redeem,
  };
}

export type SsoRules = ReturnType<typeof ssoRules>;
