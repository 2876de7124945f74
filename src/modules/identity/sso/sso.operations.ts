import { authenticationFailed } from '../../../external/directory/port.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { accountInactive, anyClient } from '../../../kernel/operations/access.ts';
import type { RequestFacts } from '../../../kernel/operations/callers.ts';
import { type Answer, answer, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';
import { noPlatformAccess } from '../platforms/sku-access.ts';
import { UNNAMED_DEVICE } from '../sessions/sessions.model.ts';
import { Redeemed, RedeemSsoTokenBody, SsoRequestShape, SsoSignedIn } from './sso.schemas.ts';
import type { SsoResult, SsoRules } from './sso.ts';
import { invalidSsoToken, SSO_TOKEN_MS } from './sso-tokens.ts';

const tag = 'Sign-in';

interface SsoRequestBody {
  userId?: string;
  customerId?: string;
  accessToken: string;
  refreshToken: string;
  platform: ClientPlatform;
  device?: string;
  deviceId?: string;
}

const failures = [authenticationFailed, accountInactive, () => noPlatformAccess('livestream')];
const summary = 'Sign in with tokens and a user id or customer id';

export function ssoOperations(sso: SsoRules): Operation[] {
  async function signIn(request: SsoRequestBody, facts: RequestFacts): Promise<SsoResult> {
    const {
      userId,
      customerId,
      accessToken,
      refreshToken,
      platform,
      device = UNNAMED_DEVICE,
      deviceId,
    } = request;
    if (userId === undefined && customerId === undefined) {
      throw validationFailed([{ field: 'userId', message: 'or customerId is required' }]);
    }
    const tokens = { accessToken, refreshToken };
    return sso.signIn({ userId, customerId, tokens, place: { platform, device, deviceId } }, facts);
  }

  return [
    operation({
      method: 'POST',
      path: '/v1/auth/signin-sso',
      id: 'signInSso',
      tag,
      summary,
      description: `For \`livestream\` the response includes a \`redirectUrl\` with a signed token that is valid for ${spelled(SSO_TOKEN_MS / MINUTE_MS)} minutes and a single use. The tokens of the response are those that the live platform redeems: leave them to it, since a refresh token can be used once. The session that you come from goes on.`,
      access: anyClient,
      body: SsoRequestShape,
      success: ok(SsoSignedIn, { message: 'Signed in successfully' }),
      failures,
      handle: ({ body, facts }) => signIn(body, facts),
    }),
    operation({
      method: 'GET',
      path: '/v1/auth/signin-sso',
      id: 'signInSsoByLink',
      tag,
      summary,
      description: 'For `livestream` the response is a 302 redirect to the live platform.',
      access: anyClient,
      isLink: true,
      query: SsoRequestShape,
      success: ok(SsoSignedIn, { message: 'Signed in successfully', alternative: 302 }),
      failures,
      handle: async ({ query, facts }): Promise<SsoResult | Answer<SsoResult>> => {
        const result = await signIn(query, facts);
        if (result.redirectUrl === undefined) return result;
        return answer(result, { status: 302, headers: { location: result.redirectUrl } });
      },
    }),
    operation({
      method: 'POST',
      path: '/v1/auth/sso/redeem',
      id: 'redeemSsoToken',
      tag,
      summary: 'Redeem a single sign-on token',
      access: anyClient,
      body: RedeemSsoTokenBody,
      success: ok(Redeemed, { message: 'Token redeemed' }),
      failures: [invalidSsoToken],
      handle: async ({ body }) => {
        const { user, sessionId, tokens } = await sso.redeem(body.token);
        return { ...tokens, user, userId: user.id, sessionId };
      },
    }),
  ];
}
