import { isPlatformError } from '@platform-api/sdk';
import { now } from './api.ts';

const whole = new Intl.NumberFormat('en-US');
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const count = (value: number): string => whole.format(value);
export const usd = (value: number): string => money.format(value);
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const STEPS: [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** "18 min ago", "in 3 h"; the date if it is a week or more away. */
export function relative(at: string): string {
  const seconds = Math.round((now() - Date.parse(at)) / 1000);
  const distance = Math.abs(seconds);
  if (distance >= 7 * 86_400) return day.format(new Date(at));
  const [length, unit] = STEPS.find(([step]) => distance >= step) ?? [1, 's'];
  if (distance < 10) return 'just now';
  const text = `${Math.floor(distance / length)} ${unit}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}

/** "2 d 4 h", "41 min": how long something has been waiting. */
export function age(at: string): string {
  const minutes = Math.max(0, Math.floor((now() - Date.parse(at)) / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24 ? `${hours % 24} h` : ''}`.trim();
  if (hours > 0) return `${hours} h${minutes % 60 && hours < 6 ? ` ${minutes % 60} min` : ''}`;
  return minutes > 0 ? `${minutes} min` : 'under 1 min';
}

/** Formats a number of seconds, such as "1 h 12 min". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours >= 100 ? `${count(hours)} h` : `${hours} h ${Math.round((seconds % 3600) / 60)} min`;
}

/** "+5,000", "−150", with the mathematical minus sign. */
export const signed = (value: number): string =>
  value < 0 ? `−${count(-value)}` : value > 0 ? `+${count(value)}` : '0';

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

const PLATFORMS: Record<string, string> = {
  app: 'Mobile App',
  livestream: 'Live Platform',
  scanners: 'Scanners',
  web: 'Web',
  backoffice: 'Back Office',
};
export const platformName = (platform: string): string => PLATFORMS[platform] ?? platform;

/** Turns "pending_grant" into "pending grant", "usdAmount" into "usd amount". */
export const words = (code: string): string =>
  code
    .replaceAll(/[._-]/g, ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

/** Removes the characters that change the direction of text, which in a name would garble the sentence around it. */
export const plain = (text: string): string =>
  text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** The name of a person in a response, or their e-mail address; deleted members have neither. */
export const nameOf = (
  person: { name?: string; firstName?: string; lastName?: string; email?: string | null } | null | undefined,
): string =>
  plain(
    (person?.name || `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim() || person?.email) ??
      'Erased member',
  );

export const localTime = (at: string): string => dayAndTime.format(new Date(at));
export const utc = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

/** "66f1c2a9…8e21" */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => [...graphemes.segment(part)][0]?.segment ?? '')
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase();

/** What a reader sees as one letter, which may consist of several characters. */
const graphemes = new Intl.Segmenter();

/** Explains an error in a sentence. */
export function because(error: unknown): string {
  // Browsers report the same error for a cancelled prompt, a timeout and a missing passkey.
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'The browser was given no passkey.';
  if (!isPlatformError(error)) return 'The console made a mistake.';
  if (error.code === 'OFFLINE' || error.code === 'TIMEOUT') return 'The platform cannot be reached.';
  if (isConflict(error)) return 'It has been changed since you opened this form.';
  if (error.code === 'STAFF_NOT_MUTED')
    return 'Administrators and moderators cannot be muted. Ask an administrator to take their permission first.';
  // The API's message names the system that checks passwords, which would not help an operator.
  if (error.code === 'AUTHENTICATION_FAILED') return 'The e-mail address or the password is wrong.';
  if (error.code === 'UNREADABLE_ANSWER') return 'Something in front of the platform answered in its place.';
  if (error.retryAfter)
    return `${asSentence(error.message)} Try again in ${plural(error.retryAfter, 'second')}.`;
  const [fault] = error.fields;
  return asSentence(fault ? `${fault.field} ${fault.message}` : error.message);
}

const CONFLICTS = new Set(['CHANGED_MEANWHILE', 'PERMISSIONS_CHANGED']);

/** Whether a save was refused because somebody else has changed the record since the form was opened. */
export const isConflict = (error: unknown): boolean => isPlatformError(error) && CONFLICTS.has(error.code);

/** Says whether a failed write changed something; returns `none` if it certainly did not. */
export function whetherDone(error: unknown, none: string): string {
  if (!isPlatformError(error)) return none;
  if (error.code === 'IDEMPOTENCY_KEY_REUSED')
    return 'An earlier attempt with other entries may have been done';
  return error.isOutcomeUnknown ? 'It is not certain whether this was done' : none;
}

/** Ends a text with a full stop if it has none. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
