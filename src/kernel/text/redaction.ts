/**
 * Secret names that the specification lists, and others of equal sensitivity: the `endpoint` of a browser's push
 * subscription is a capability URL, by which anyone can deliver messages. Names are compared without letter case
 * and punctuation: `x-api-key` is `xapikey`.
 */
const SECRET_NAMES = new Set([
  'otp',
  'key',
  'fundingkey',
  'ticket',
  'auth',
  'jwt',
  'bearer',
  'pin',
  'cvc',
  'cvv',
  'pass',
  'pwd',
  'endpoint',
  'sessionid',
  'privatekey',
]);

/** A name is also secret if it contains one of these: `newPassword`, `fcm_token`, `X-Amz-Signature`, `set-cookie`. */
const SECRET_PARTS = [
  'password',
  'passwd',
  'passphrase',
  'token',
  'secret',
  'apikey',
  'authorization',
  'cookie',
  'signature',
  'credential',
];

/** Names ending in `code` are secret (`code`, `mfaCode`), except these. */
const OPEN_CODES = new Set([
  ...['errorcode', 'statuscode', 'responsecode', 'countrycode', 'currencycode', 'languagecode'],
  ...['postcode', 'postalcode', 'zipcode'],
]);

export const REDACTED = '[REDACTED]';

/**
 * What of a value only those may read whom it is for: all of it, some fields and all that are not named here, or something
 * of each item.
 */
export type Privacy = 'all' | { fields: ReadonlyMap<string, Privacy | undefined> } | { items: Privacy };

const MAX_NAME = 200;
const MAX_TEXT = 2_000;
const MAX_DEPTH = 12;
/** Limits of one report: the number of values, and of characters in them and their names. */
const REPORT_LIMITS = { values: 500, characters: 8_192 };

/** @param name of any length; only its first characters are checked */
export function isSecretName(name: string): boolean {
  const plain = name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  if (SECRET_NAMES.has(plain) || SECRET_PARTS.some((part) => plain.includes(part))) return true;
  return /code$|recoverycodes$/.test(plain) && !OPEN_CODES.has(plain);
}

/** Prefixes of our own keys and playback links, keys of the payment provider, and any JSON Web Token. */
const SECRET_BEGINNINGS = [
  ...['eyJ', 'pk_development_', 'pk_production_', 'plbk_'],
  ...['sk_live_', 'sk_test_', 'whsec_'],
];
const SECRET_BEGINNING = new RegExp(SECRET_BEGINNINGS.join('|'));
/** Minimum length after a prefix; anything shorter is an ordinary word that resembles a secret. */
const MIN_SECRET_LENGTH = 8;
/** Runs of the characters used in keys and tokens; each character is matched once. */
const RUNS = /[\w.-]+/g;

/**
 * Returns the text, truncated, without anything that resembles a key or a token, or is given a secret's name
 * (`?token=...`, `"password": "..."`). Its cost is bounded for any input.
 */
export function redactText(text: string, most = MAX_TEXT): string {
  return withoutSecrets(withoutNamed(text.slice(0, most)), text.length > most ? most : undefined);
}

/** A value with its name, as in queries, forms and JSON; the value ends where it would end in that syntax. */
const NAMED = /([\w.%-]{1,60})=([^\s&"'<>]+)|"([^"\\]{1,60})"\s{0,9}:\s{0,9}("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g;
/** A name and a password in a URL. */
const USERINFO = /:\/\/[^\s/@]{1,200}@/g;

function withoutNamed(text: string): string {
  const plain = text.includes('@') ? text.replace(USERINFO, `://${REDACTED}@`) : text;
  if (!plain.includes('=') && !plain.includes('":')) return plain;
  return plain.replace(
    NAMED,
    (whole: string, name?: string, value?: string, field?: string, json?: string) => {
      const given = name ?? field ?? '';
      if (!isSecretName(decoded(given))) return whole;
      return (
        whole.slice(0, whole.length - (value ?? json ?? '').length) +
        (json?.startsWith('"') ? `"${REDACTED}"` : REDACTED)
      );
    },
  );
}

/** @param cutAt the length at which the text was truncated, if it was */
function withoutSecrets(bounded: string, cutAt: number | undefined): string {
  // Nearly all texts, such as the path of every request, pass this one test.
  if (!SECRET_BEGINNING.test(bounded)) return bounded;
  return bounded.replace(RUNS, (run: string, place: number) => {
    // The remainder of a truncated secret may be shorter than the minimum length.
    const isCut = cutAt !== undefined && place + run.length === bounded.length;
    const start = secretStart(run, isCut ? 0 : MIN_SECRET_LENGTH);
    return start < 0 ? run : `${run.slice(0, start)}${REDACTED}`;
  });
}

/** Returns the index of the first secret in a run; -1 when there is none. */
function secretStart(run: string, least: number): number {
  const starts = SECRET_BEGINNINGS.map((beginning) => {
    const start = run.indexOf(beginning);
    return start >= 0 && run.length - start - beginning.length >= least ? start : -1;
  }).filter((start) => start >= 0);
  return starts.length > 0 ? Math.min(...starts) : -1;
}

/** Stands for a private value: of a text, operators learn how long it was. */
const hidden = (value: unknown): string =>
  typeof value === 'string' ? `[REDACTED: ${value.length} characters]` : REDACTED;

/**
 * Returns a copy without secrets, in any letter case and at any depth, and without what is private, of bounded size and
 * cost: input beyond the bounds is not read.
 */
export function redact(
  value: unknown,
  { values, characters } = REPORT_LIMITS,
  privacy?: Privacy | undefined,
): unknown {
  function text(given: string): string {
    const kept = redactText(given, Math.min(MAX_TEXT, Math.max(0, characters)));
    characters -= Math.min(given.length, MAX_TEXT);
    return kept;
  }

  function visit(item: unknown, depth: number, within: Privacy | undefined): unknown {
    values--;
    if (item === null || item === undefined) return item;
    // What has another form than its shape is as private as what it stands for.
    if (within !== undefined && !hasForm(item, within)) return hidden(item);
    if (typeof item === 'string') return text(item);
    if (typeof item !== 'object') return item;
    if (depth >= MAX_DEPTH) return '[...]';
    if (Array.isArray(item)) return visitAll(item, depth, within);
    return visitFields(item as Record<string, unknown>, depth, within);
  }

  function visitAll(items: unknown[], depth: number, within: Privacy | undefined): unknown[] {
    const inner = typeof within === 'object' && 'items' in within ? within.items : undefined;
    const copy: unknown[] = [];
    for (const item of items) {
      if (values <= 0 || characters <= 0) break;
      copy.push(visit(item, depth + 1, inner));
    }
    return copy;
  }

  function visitFields(fields: Record<string, unknown>, depth: number, within: Privacy | undefined): object {
    const known = typeof within === 'object' && 'fields' in within ? within.fields : undefined;
    const copy: [string, unknown][] = [];
    for (const name in fields) {
      if (values <= 0 || characters <= 0) break;
      const isSecret = isSecretName(name);
      if (isSecret) values--;
      const shown = known && !known.has(name) ? hidden(name) : text(name);
      copy.push([shown, isSecret ? REDACTED : visit(fields[name], depth + 1, innerOf(known, name))]);
    }
    return Object.fromEntries(copy);
  }

  return visit(value, 0, privacy);
}

/** What of a field is private: a name that is not known may be a misspelt one. */
const innerOf = (
  known: ReadonlyMap<string, Privacy | undefined> | undefined,
  name: string,
): Privacy | undefined => (known && !known.has(name) ? 'all' : known?.get(name));

/** Whether a value is an object or a list, as one of which only a part is private must be. */
function hasForm(value: unknown, privacy: Privacy): boolean {
  if (privacy === 'all' || typeof value !== 'object') return false;
  return Array.isArray(value) === 'items' in privacy;
}

/** Longer than any id, and than the names of our paths: a token. */
const OPAQUE = /[\w-]{37,}/g;
/** What a cursor of an instant and a UUID has after the point of its seconds. */
const END_OF_CURSOR = /^\d{3}Z_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The same in base64, if it has more than what a path or words joined by `+` have. */
const BASE64 = /[\w+/-]{37,}={0,2}/g;
const isBase64 = (run: string): boolean => [/[+=]/, /[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(run));

const withoutOpaque = (text: string): string =>
  text
    .replace(BASE64, (run) => (isBase64(run) ? REDACTED : run))
    .replace(OPAQUE, (run) => (END_OF_CURSOR.test(run) ? run : REDACTED));

/** Headers whose values are long and are looked for in reports. */
const OPEN_HEADERS = new Set(['traceparent', 'idempotency-key', 'x-request-id']);

/** Returns a copy of headers, which have lower-case names, without secrets and whatever looks like a token. */
export function redactHeaders(headers: object): Record<string, unknown> {
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    return typeof value === 'string' ? withoutOpaque(value) : value;
  };
  const redacted = Object.entries(redact(headers) as Record<string, unknown>);
  return Object.fromEntries(
    redacted.map(([name, value]) =>
      OPEN_HEADERS.has(name) ? [name, value] : [withoutOpaque(name), shown(value)],
    ),
  );
}

/** Returns a path, truncated, with secrets and whatever looks like a token removed from it and its query. */
export function redactUrl(url: string): string {
  const bounded = url.slice(0, MAX_TEXT);
  const mark = bounded.indexOf('?');
  const path = withoutOpaque(redactPart(mark < 0 ? bounded : bounded.slice(0, mark)));
  if (mark < 0) return path;
  const parts = bounded.slice(mark + 1).split('&');
  const redacted = parts.map((part) => {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    if (equals >= 0 && isSecretName(decoded(name))) return `${redactPart(name)}=${REDACTED}`;
    const kept = withoutOpaque(redactPart(part));
    const plain = decoded(kept);
    if (withoutOpaque(plain) === plain) return kept;
    return equals < 0 ? REDACTED : `${withoutOpaque(name)}=${REDACTED}`;
  });
  return `${path}?${redacted.join('&')}`;
}

/** Returns a part of a URL unchanged, or fully redacted when decoding it reveals a secret. */
function redactPart(part: string): string {
  const plain = decoded(part);
  return plain !== part && redactText(plain) !== plain ? REDACTED : redactText(part);
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A truncated or malformed sequence must not hide the text beside it.
    return text.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}
