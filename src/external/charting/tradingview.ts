import { type OutboundResponse, outboundClient } from '../../kernel/net/outbound.ts';
import { outcomeOf, pageOf, presenceOf, sessionOf, spellingOf, troubleOf } from './answers.ts';
import type { ChartingPlatform, ChartingTrouble } from './port.ts';

interface TradingViewOptions {
  url: string;
  /** Cookies of the account that owns the scripts. */
  sessionId: string;
  sessionSign?: string | undefined;
  timeoutMs: number;
}

/** The platform rejects larger pages. */
const PAGE_SIZE = 30;
/** Some accounts are rejected without the user agent of a browser. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/**
 * Implements the charting platform with the calls that TradingView's page "Manage access" makes. There is no public
 * API. Nothing is retried here.
 */
export function tradingView({
  url,
  sessionId,
  sessionSign,
  timeoutMs,
}: TradingViewOptions): ChartingPlatform {
  const baseUrl = url.endsWith('/') ? url : `${url}/`;
  const { origin } = new URL(baseUrl);
  const cookies = [
    `sessionid=${sessionId}`,
    ...(sessionSign === undefined ? [] : [`sessionid_sign=${sessionSign}`]),
  ];
  const call = outboundClient({
    baseUrl,
    headers: {
      cookie: cookies.join('; '),
      origin,
      referer: `${origin}/`,
      'user-agent': USER_AGENT,
      'x-requested-with': 'XMLHttpRequest',
    },
    timeoutMs,
    retries: 0,
  });

  async function callPlatform<T>(
    request: { path: string; form?: Record<string, string> },
    read: (response: OutboundResponse) => T,
  ): Promise<T | ChartingTrouble> {
    let response: OutboundResponse;
    try {
      response = await call({ method: request.form ? 'POST' : 'GET', answers: 'text', ...request });
    } catch (error) {
      return troubleOf(error);
    }
    return read(response);
  }

  return {
    resolve: (handle) =>
      callPlatform({ path: `username_hint/?${new URLSearchParams({ s: handle })}` }, (response) =>
        spellingOf(response, handle),
      ),
    // Without `expiration` access is permanent, except that an existing entry keeps its expiration when it is added
    // again.
    grant: (pineId, handle) =>
      callPlatform(
        { path: 'pine_perm/add/', form: { pine_id: pineId, username_recip: handle } },
        (response) => outcomeOf(response, 'exists'),
      ),
    revoke: (pineId, handle) =>
      callPlatform(
        { path: 'pine_perm/remove/', form: { pine_id: pineId, username_recip: handle } },
        (response) => outcomeOf(response, 'not_exists'),
      ),
    lookUpHolder: (pineId, handle) =>
      callPlatform(
        {
          path: `pine_perm/list_users/?${new URLSearchParams({ limit: String(PAGE_SIZE), order_by: '-created' })}`,
          form: { pine_id: pineId, username: handle },
        },
        (response) => presenceOf(response, handle),
      ),
    holders: (pineId, cursor) => {
      const query: Record<string, string> =
        cursor === undefined ? { limit: String(PAGE_SIZE), order_by: '-created' } : { c: cursor };
      return callPlatform(
        { path: `pine_perm/list_users/?${new URLSearchParams(query)}`, form: { pine_id: pineId } },
        pageOf,
      );
    },
    check: () => callPlatform({ path: 'tvcoins/details/' }, sessionOf),
  };
}
