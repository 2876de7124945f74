/** Part 1, Errors, and what else is as secret; compared without case, hyphens and underscores. */
const SECRET_NAMES = new Set(
  [
    ...['password', 'token', 'accessToken', 'refreshToken', 'apiKey', 'secret', 'clientSecret'],
    ...['authorization', 'x-api-key', 'cookie'],
    ...['set-cookie', 'x-internal-api-key', 'x-webhook-secret', 'stripe-signature'],
    ...['newPassword', 'currentPassword', 'oldPassword', 'confirmPassword'],
    ...['code', 'resetCode', 'otp', 'fundingKey', 'key', 'idToken', 'ticket', 'signature', 'x-amz-signature'],
  ].map(plain),
);

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

const REDACTED = '[REDACTED]';

/** Our own keys and any JSON Web Token, wherever they stand in a text. */
const SECRET_VALUES = /pk_(?:development|production)_[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;

const MOST_TEXT = 2_000;
const MOST_ITEMS = 100;
const MOST_DEPTH = 12;

/** A text without anything that looks like a key or a token, and not too long. */
export const redactText = (text: string): string => text.slice(0, MOST_TEXT).replace(SECRET_VALUES, REDACTED);

/** A copy without secrets, whatever they are called in whichever letter case, at any depth; and of bounded size. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MOST_DEPTH) return '[...]';
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => redact(item, depth + 1));
  const entries = Object.entries(value)
    .slice(0, MOST_ITEMS)
    .map(([name, item]) => [
      redactText(name),
      SECRET_NAMES.has(plain(name)) ? REDACTED : redact(item, depth + 1),
    ]);
  return Object.fromEntries(entries);
}

/** A path with the secrets in its query taken out. */
export function redactUrl(url: string): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined) return redactText(path);
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=', 1);
    return SECRET_NAMES.has(plain(decode(name))) ? `${name}=${REDACTED}` : part;
  });
  return redactText(`${path}?${parts.join('&')}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
