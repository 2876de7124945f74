/** The credentials, as headers, that a request carries. */
export interface Caller {
  headers: Record<string, string>;
}

/** A request as it was sent, and its response. */
export interface Exchange {
  method: string;
  url: string;
  /** Headers and body, with the values of credentials left out. */
  requestHeaders: Record<string, string>;
  requestBody: string | undefined;
  status: number;
  headers: Headers;
  /** The body as received. */
  text: string;
  /** The parsed body; an empty object if it is not JSON. */
  body: Body;
}

/** The envelope of a response. A faulty platform may send anything, so cases check what they read. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is what is to be judged
export type Body = Record<string, any>;

const CREDENTIALS = /^(authorization|x-api-key|x-internal-api-key|x-webhook-secret)$/;
const TIMEOUT_MS = 30_000;

/**
 * Sends one request. Redirects are not followed.
 * @throws if no response arrives within thirty seconds
 */
export async function exchange(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Exchange> {
  const answer = await fetch(url, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  return {
    method,
    url,
    requestHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, CREDENTIALS.test(name) ? '...' : value]),
    ),
    requestBody: body,
    status: answer.status,
    headers: answer.headers,
    text,
    body: parsed(text),
  };
}

function parsed(text: string): Body {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const SECRET_FIELDS =
  /("(?:password|currentPassword|newPassword|accessToken|refreshToken|key|secret|mfaCode)"\s*:\s*)"[^"]*"/g;
const MAX_PRINTED = 1_500;

/** Returns a body for a report: without secrets, and at most a screen long. */
export function printable(text: string | undefined): string {
  const hidden = (text ?? '').replace(SECRET_FIELDS, '$1"..."');
  return hidden.length > MAX_PRINTED ? `${hidden.slice(0, MAX_PRINTED)} ...` : hidden;
}
