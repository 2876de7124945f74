import { isPlatformError } from '@platform-api/sdk';
import { now } from './api.ts';

const whole = new Intl.NumberFormat('en-US');
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const count = (value: number): string => whole.format(value);
export const usd = (value: number): string => money.format(value);
const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const STEPS: [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** "18 min ago", "in 3 h"; a date from a week on. */
export function relative(at: string): string {
  const seconds = Math.round((now() - Date.parse(at)) / 1000);
  const distance = Math.abs(seconds);
  if (distance >= 7 * 86_400) return day.format(new Date(at));
  const [length, unit] = STEPS.find(([step]) => distance >= step) ?? [1, 's'];
  if (distance < 10) return 'just now';
  const text = `${Math.floor(distance / length)} ${unit}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}

export const localTime = (at: string): string => dayAndTime.format(new Date(at));
export const utc = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;

/** "66f1c2a9…8e21" */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part[0] ?? '')
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')
    .toUpperCase();

/** Why something could not be read or done, in a sentence. */
export function because(error: unknown): string {
  if (!isPlatformError(error)) return 'The console made a mistake';
  if (error.code === 'OFFLINE' || error.code === 'TIMEOUT') return 'The platform cannot be reached';
  if (error.code === 'UNREADABLE_ANSWER') return 'Something in front of the platform answered in its place';
  if (error.retryAfter) return `${error.message} Try again in ${plural(error.retryAfter, 'second')}.`;
  const [fault] = error.fields;
  return fault ? `${fault.field} ${fault.message}` : error.message;
}
