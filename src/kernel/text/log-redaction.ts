import type { LoggerOptions } from 'pino';
import { recentlyUsed } from '../concurrency/recently-used.ts';
import { isSecretName, REDACTED, redact, redactText } from './redaction.ts';

/** A line carries a report of a failed request at most, which is redacted by itself. */
const LIMITS = { values: 2_000, characters: 64_000 };
const MAX_CAUSES = 5;
const MAX_FRAMES = 50;
const MAX_NAMES = 1_000;

/** What a database says about where an error is; its other fields contain values. */
const PLACES = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const;

/** A code of ours or of the system, such as `NOT_FOUND`, `23505` or an exit code; codes that are sent to members are longer. */
const isPlainCode = (value: unknown): boolean =>
  typeof value === 'string' ? /^[A-Z][A-Z0-9_]{2,}$|^[0-9A-Z]{5}$/.test(value) : Number(value) < 1_000;

/**
 * Returns the options with which a logger writes no secret, by name or by form, wherever it stands in a line.
 * @param hidesValues also leaves out what messages of errors quote, for production: of an error its type, its place and
 * the frames of its stack remain
 */
export function logRedaction(hidesValues: boolean): Pick<LoggerOptions, 'formatters' | 'serializers'> {
  const textOf = (message: string): string =>
    hidesValues ? withoutValues(redactText(message)) : redactText(message);

  // The names of fields are few, and each request writes a line.
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
    // It sees every line as a whole, errors included; pino's own serializer of errors would add all of their fields.
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

/** Returns what a log says of an error and its causes: types, places and frames, and the messages as `textOf` gives them. */
function errorFields(error: Error, textOf: (message: string) => string, depth = 1): object {
  const places = PLACES.map((name) => [name, (error as unknown as Record<string, unknown>)[name]] as const);
  const { cause } = error;
  return {
    type: error.constructor.name,
    message: textOf(error.message),
    ...Object.fromEntries(places.filter(([, value]) => typeof value === 'string')),
    stack: framesOf(error),
    ...(cause instanceof Error && depth < MAX_CAUSES ? { cause: errorFields(cause, textOf, depth + 1) } : {}),
  };
}

/** Returns the frames of an error's stack, without its first lines, which repeat the message. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return redactText(frames.slice(0, MAX_FRAMES).join('\n'), LIMITS.characters);
}

/** Parts of messages that are, or may be, values: what is quoted or in parentheses, addresses, ids and long numbers. */
const VALUES =
  /"[^"]*"?|'[^']*'(?!\w)|`[^`]*`?|\([^)]*\)?|[^\s@<>]{1,64}@[^\s@<>]+|\b[0-9a-f-]{16,}\b|\d{6,}/gi;

/** Returns a message without the values that it quotes. */
const withoutValues = (message: string): string => message.replace(VALUES, '[...]');
