import { readFileSync } from 'node:fs';
import { isNetwork } from './net/addresses.ts';

/** A setting: its environment variable, its purpose and its parser. */
export interface Setting<T> {
  variable: string;
  about: string;
  /** The value in `.env.example` when there is no default. */
  example?: string;
  /** Whether an empty variable is a value instead of counting as missing. */
  takesEmpty?: true;
  /** Whether it may be read from the file that `<variable>_FILE` names, as secrets of containers are. */
  isSecret?: true;
  /** Whether production requires it; the hint says what to set it to. */
  neededInProduction?: { hint: string | undefined };
  /** Parses the text; throws an error whose message completes "VARIABLE ...". */
  read: (text: string | undefined) => T;
}

/** The parsed values of a group of settings. */
export type ValuesOf<Settings extends Record<string, Setting<unknown>>> = {
  [Name in keyof Settings]: ReturnType<Settings[Name]['read']>;
};

/** Returns the text of a setting from the environment, or from the file named by `<variable>_FILE`. */
export function settingText(
  { variable, isSecret, takesEmpty }: Setting<unknown>,
  environment: Record<string, string | undefined>,
): string | undefined {
  const given = environment[variable] || undefined;
  const file = isSecret && environment[`${variable}_FILE`];
  if (!file) return takesEmpty ? environment[variable] : given;
  if (given !== undefined) throw new Error(`and ${variable}_FILE are both set; keep one`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(
      `could not be read from ${variable}_FILE=${file}: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
  // Editors and `echo` end a file with a line break, which is not part of the secret.
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`could not be read from ${variable}_FILE=${file}: it is empty`);
  return secret;
}

export const text = (variable: string, fallback: string, about: string): Setting<string> => ({
  variable,
  about,
  example: fallback,
  read: (given = fallback) => withoutBlanks(given),
});

/** A blank at either end is a mistake of copying, which nobody sees in the error that it causes later. */
function withoutBlanks(text: string): string {
  if (text !== text.trim()) throw new Error('begins or ends with a blank');
  return text;
}

/** Marks a setting as containing a secret. */
export const withSecret = <T>(setting: Setting<T>): Setting<T> => ({ ...setting, isSecret: true });

/** Marks a setting that production requires. */
export const neededInProduction = <T>(setting: Setting<T>, hint?: string): Setting<T> => ({
  ...setting,
  neededInProduction: { hint },
});

export const optional = (variable: string, about: string, example = ''): Setting<string | undefined> => ({
  variable,
  about,
  example,
  read: (given) => (given === undefined ? undefined : withoutBlanks(given)),
});

export const secret = (variable: string, shortest: number, about: string): Setting<string | undefined> => ({
  variable,
  about,
  isSecret: true,
  read: (given) => {
    if (given !== undefined) requireLength(given, shortest);
    return given;
  },
});

/** A secret that is sent in a header. */
export const headerSecret: typeof secret = (variable, shortest, about) => {
  const setting = secret(variable, shortest, about);
  return {
    ...setting,
    read: (given) => {
      if (given !== undefined) requireHeaderText(given);
      return setting.read(given);
    },
  };
};

function requireHeaderText(text: string): void {
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    throw new Error('must be printable ASCII without blanks or line breaks around it, which headers lose');
}

function requireLength(text: string, shortest: number): void {
  if (text.length < shortest) throw new Error(`must have at least ${shortest} characters`);
}

/** One secret that is sent in a header, or several separated by commas during rotation. */
export const headerSecrets = (
  variable: string,
  shortest: number,
  about: string,
): Setting<string[] | undefined> => ({
  variable,
  about,
  isSecret: true,
  read: (given) => {
    if (given === undefined) return undefined;
    const all = given.split(',');
    for (const one of all) {
      requireHeaderText(one);
      requireLength(one, shortest);
    }
    return all;
  },
});

/** Lets an empty text of a setting mean none. */
export const orNone = <T>(setting: Setting<T[] | undefined>): Setting<T[] | undefined> => ({
  ...setting,
  takesEmpty: true,
  read: (given) => (given === '' ? [] : setting.read(given)),
});

/**
 * Former secrets, separated by commas. Since these may have contained commas themselves, a text whose parts are too short
 * is one secret.
 */
export const formerSecrets = (
  variable: string,
  shortest: number,
  about: string,
): Setting<string[] | undefined> => ({
  variable,
  about,
  isSecret: true,
  read: (given) => {
    if (given === undefined) return undefined;
    requireLength(given, shortest);
    const parts = given.split(',');
    return parts.every((part) => part.length >= shortest) ? parts : [given];
  },
});

export const choice = <const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: T,
  about: string,
): Setting<T> => ({
  variable,
  about: `${about} (${choices.join(', ')})`,
  example: fallback,
  read: (given = fallback) => {
    if (!choices.includes(given as T)) throw new Error(`must be one of ${choices.join(', ')}`);
    return given as T;
  },
});

/** A switch, which is read as a boolean. */
export function onOff(variable: string, fallback: 'on' | 'off', about: string): Setting<boolean> {
  const choices = fallback === 'on' ? (['on', 'off'] as const) : (['off', 'on'] as const);
  const setting = choice(variable, choices, fallback, about);
  return { ...setting, read: (given) => setting.read(given) === 'on' };
}

type NumberSetting = (
  variable: string,
  fallback: number,
  range: [number, number],
  about: string,
) => Setting<number>;

/** Returns a maker of settings for numbers that match a pattern. */
const numeric =
  (form: RegExp, name: string): NumberSetting =>
  (variable, fallback, [least, most], about) => ({
    variable,
    about,
    example: String(fallback),
    read: (given = String(fallback)) => {
      const value = Number(given);
      if (!form.test(given) || value < least || value > most) {
        throw new Error(`must be a ${name} from ${least} to ${most}`);
      }
      return value;
    },
  });

export const integer = numeric(/^\d+$/, 'whole number');

/** A non-negative number, with or without decimals. */
export const decimal = numeric(/^\d+(\.\d+)?$/, 'number');

/** An optional whole number. */
export const optionalInteger = (
  variable: string,
  range: [number, number],
  about: string,
  example: string,
): Setting<number | undefined> => ({
  variable,
  about,
  example,
  read: (given) => (given === undefined ? undefined : integer(variable, 0, range, about).read(given)),
});

/** The text of an intentionally empty list. */
const NONE = 'none';

/** A list of IP addresses and networks in CIDR notation; `none` means an empty one. */
export const networks = (...about: Parameters<typeof list>): Setting<string[] | undefined> => {
  const setting = list(...about);
  return {
    ...setting,
    read(given) {
      if (given?.trim() === NONE) return [];
      const networks = setting.read(given);
      const wrong = networks?.find((one) => !isNetwork(one));
      if (wrong !== undefined)
        throw new Error(`contains ${wrong}, which is neither an IP address nor a CIDR network`);
      return networks;
    },
  };
};

export const list = (variable: string, about: string, example: string): Setting<string[] | undefined> => ({
  variable,
  about,
  example,
  read: (given) => {
    const items = given
      ?.split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    if (items?.length === 0) throw new Error('names nothing');
    return items;
  },
});

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Headers as OpenTelemetry's settings write them: `name=value,name=value`, with URL-encoded values. */
export const headerList = (
  variable: string,
  about: string,
  example: string,
): Setting<Record<string, string> | undefined> => ({
  variable,
  about,
  example,
  read: (given) =>
    given === undefined
      ? undefined
      : Object.fromEntries(
          given
            .split(',')
            .filter((pair) => pair.trim() !== '')
            .map(headerOf),
        ),
});

function headerOf(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, at)).trim();
  const value = decoded(pair.slice(at + 1).trim());
  if (!HEADER_NAME.test(name) || value === undefined || !/^[\t\x20-\x7e]*$/.test(value))
    throw new Error('must be headers as name=value, separated by commas');
  return [name.toLowerCase(), value];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
