import { ExternalFault, type OutboundResponse } from '../../kernel/net/outbound.ts';
import { parseStorable } from '../../kernel/text/safe-text.ts';
import type { ChartingOutcome, ChartingTrouble, HoldersPage } from './port.ts';

type Json = Record<string, unknown>;

/** Matches the sign-in page, which replaces responses when the session has ended. */
const SIGN_IN_PAGE = /accounts\/signin|login_required|name="?password/i;
/** Gateway timeouts, after which the platform may still be processing the request. */
const GATEWAY_TIMEOUTS = [502, 504];
const MAX_HANDLE_LENGTH = 100;

const fault = (text: string): ChartingTrouble => ({ kind: 'fault', text });
const inconclusive = (what: string): ChartingTrouble => ({
  kind: 'unknown-outcome',
  text: `The charting platform answered ${what}, which is inconclusive`,
});

/** Classifies the error of a call without a response. */
export function troubleOf(error: unknown): ChartingTrouble {
  if (!(error instanceof ExternalFault)) throw error;
  const { status, retryAfterMs, wasSent } = error;
  if (status === 429) return { kind: 'limited', retryAfterMs };
  if (status !== undefined && status >= 300 && status < 400) return { kind: 'session-over' };
  if (status !== undefined && GATEWAY_TIMEOUTS.includes(status))
    return { kind: 'unknown-outcome', text: answered(status) };
  if (status !== undefined) return fault(answered(status));
  return wasSent
    ? { kind: 'unknown-outcome', text: 'The charting platform did not answer in time' }
    : fault('The charting platform could not be reached');
}

const answered = (status: number): string => `The charting platform answered ${status}`;

/** Returns the JSON of a response, or the trouble that a response without JSON indicates. */
function readJson({ status, body }: OutboundResponse): { json: unknown } | ChartingTrouble {
  const text = String(body ?? '');
  if (status === 401 || status === 403) return { kind: 'session-over' };
  try {
    return { json: parseStorable(text) };
  } catch {
    if (SIGN_IN_PAGE.test(text)) return { kind: 'session-over' };
    return status < 400 ? inconclusive('with a page') : fault(answered(status));
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** Returns the outcome of adding or removing; `already` is the status for a change that was not needed. */
export function outcomeOf(response: OutboundResponse, already: string): ChartingOutcome {
  const read = readJson(response);
  if ('kind' in read) return read;
  const answer = objectOf(read.json);
  const { status } = response;
  if (status === 200 || status === 201) {
    if (answer.status === 'ok') return { kind: 'done' };
    if (answer.status === already) return { kind: 'already' };
    return inconclusive('with an unknown status');
  }
  if (answer.code === 'username_recip_not_found') return { kind: 'unknown-user' };
  if (namesScript(read.json)) return { kind: 'unknown-script' };
  return { kind: 'refused', text: `The charting platform refused with ${status}` };
}

/** Whether an error response names the script's field. */
const namesScript = (json: unknown): boolean => JSON.stringify(json).includes('pine_id');

/** Returns the name that equals the handle except for letter case; hints also list longer names. */
export function spellingOf(
  response: OutboundResponse,
  handle: string,
): { kind: 'known'; handle: string } | { kind: 'unknown-user' } | ChartingTrouble {
  const read = readJson(response);
  if ('kind' in read) return read;
  if (response.status !== 200 || !Array.isArray(read.json)) return fault(answered(response.status));
  const names = read.json.map((one) => objectOf(one).username);
  const found = names.find(
    (name): name is string => typeof name === 'string' && name.toLowerCase() === handle.toLowerCase(),
  );
  return found === undefined ? { kind: 'unknown-user' } : { kind: 'known', handle: found };
}

/** Returns a page of holders. Rejects incomplete pages, since an empty one would mean that no member has access. */
export function pageOf(
  response: OutboundResponse,
): HoldersPage | { kind: 'unknown-script' } | ChartingTrouble {
  const read = readJson(response);
  if ('kind' in read) return read;
  const { results, next } = objectOf(read.json);
  if (response.status === 422 && namesScript(read.json)) return { kind: 'unknown-script' };
  if (response.status !== 200 || !Array.isArray(results)) return fault(answered(response.status));
  const handles = results.map((one) => objectOf(one).username);
  const areNames = handles.every(
    (name) => typeof name === 'string' && name !== '' && name.length <= MAX_HANDLE_LENGTH,
  );
  const isNext = next === null || next === undefined || typeof next === 'string';
  if (!areNames || !isNext) return inconclusive('with a list');
  return { kind: 'page', handles: handles as string[], next: cursorOf(next as string | null | undefined) };
}

/**
 * Returns whether a list that was filtered by one handle contains it. A list with further pages that does not contain
 * it is inconclusive: the platform may have ignored the filter.
 */
export function presenceOf(
  response: OutboundResponse,
  handle: string,
): { kind: 'held' | 'not-held' } | { kind: 'unknown-script' } | ChartingTrouble {
  const page = pageOf(response);
  if (page.kind !== 'page') return page;
  if (page.handles.some((name) => name.toLowerCase() === handle.toLowerCase())) return { kind: 'held' };
  return page.next === undefined ? { kind: 'not-held' } : inconclusive('with a list of others');
}

/** Returns the cursor in the URL of the next page. */
const cursorOf = (next: string | null | undefined): string | undefined =>
  next ? (new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('c') ?? undefined) : undefined;

/** Returns whether the account's session is valid. */
export function sessionOf(response: OutboundResponse): ChartingOutcome {
  const read = readJson(response);
  if ('kind' in read) return read;
  return response.status === 200 ? { kind: 'done' } : fault(answered(response.status));
}
