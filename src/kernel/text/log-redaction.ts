import type { LoggerOptions } from 'pino';
import { recentlyUsed } from '../concurrency/recently-used.ts';
import { isSecretName, REDACTED, redact, redactText } from './redaction.ts';

/** Enough for the largest legitimate line, a report of a failed request, which is also redacted separately. */
const LIMITS = { values: 2_000, characters: 64_000 };
const MAX_CAUSES = 5;
const MAX_FRAMES = 50;
const MAX_NAMES = 1_000;

/** Fields of a database error that locate it; its other fields contain values. */
const PLACES = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const;

/**
 * Whether it is an error code of the platform or of the system, such as `NOT_FOUND`, `23505` or an exit code;
 * confirmation codes sent to members are longer.
 */
const isPlainCode = (value: unknown): boolean =>
  typeof value === 'string' ? /^[A-Z][A-Z0-9_]{2,}$|^[0-9A-Z]{5}$/.test(value) : Number(value) < 1_000;

/**
 * Returns logger options that remove secrets from every line, by field name and by form, at any depth.
 * @param hidesValues also removes values quoted in error messages, for production: of an error only its type, its
 * location and its stack frames remain
 */
export function logRedaction(hidesValues: boolean): Pick<LoggerOptions, 'formatters' | 'serializers'> {
  const textOf = (message: string): string =>
    hidesValues ? withoutValues(redactText(message)) : redactText(message);

  // There are few field names, and each request writes a line.
  const verdicts = recentlyUsed<string, boolean>(MAX_NAMES);
  function isSecret(name: string): boolean {
    let verdict = verdicts.get(name);
    if (verdict === undefined) {
      verdict = isSecretName(name);
      verdicts.set(name, verdict);
    }
    return verdict;
  }

  function field(name: string, value: unknown): unknown {
    if (value instanceof Error) return errorFields(value, textOf);
    if (name === 'code' && isPlainCode(value)) return value;
    if (typeof value === 'number' || typeof value === 'boolean' || value === undefined) return value;
    if (isSecret(name)) return REDACTED;
    if (typeof value === 'string')
      return name === 'error' ? textOf(value) : redactText(value, LIMITS.characters);
    return redact(value, LIMITS);
  }

  return {
    // The formatter sees each whole line, errors included; pino's own error serializer would add all fields of an
    // error.
    serializers: { err: (value) => value },
    formatters: {
      log: (line) => {
        const copy: Record<string, unknown> = {};
        for (const name in line) copy[name] = field(name, line[name]);
        return copy;
      },
    },
  };
}

/**
 * Returns the loggable fields of an error and its causes: types, locations and frames, and the messages as returned by
 * `textOf`.
 */
function errorFields(error: Error, textOf: (message: string) => string, depth = 1): object {
  const places = PLACES.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const);
  const { cause } = error;
  return {
    type: typeOf(error),
    message: textOf(error.message),
    ...Object.fromEntries(places.filter(([, value]) => typeof value === 'string')),
    stack: framesOf(error),
    ...(cause instanceof Error && depth < MAX_CAUSES ? { cause: errorFields(cause, textOf, depth + 1) } : {}),
  };
}

/** Returns the name of an error's class, which a bundle may have made unique, as in `DatabaseError2`. */
const typeOf = (error: Error): string => error.constructor.name.replace(/^_|\d+$/g, '');

/** Returns the frames of an error's stack, without its first lines, which repeat the message. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return redactText(frames.slice(0, MAX_FRAMES).join('\n'), LIMITS.characters);
}

/** Parts of messages that are or may be values: quoted or parenthesized text, addresses, ids and long numbers. */
const VALUES =
  /"[^"]*"?|'[^']*'(?!\w)|`[^`]*`?|\([^)]*\)?|[^\s@<>]{1,64}@[^\s@<>]+|\b[0-9a-f-]{16,}\b|\d{6,}/gi;

/** Returns a message without the values that it quotes. */
const withoutValues = (message: string): string => message.replace(VALUES, '[...]');
