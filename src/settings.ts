// The kinds of settings that `config.ts` lists.

/** A setting: its environment variable, what it is for, how its text is read. */
export interface Setting<T> {
  variable: string;
  about: string;
  /** What `.env.example` shows when there is no default. */
  example?: string;
  /** Throws with a sentence when the text is no good. */
  read: (text: string | undefined) => T;
}

export const text = (variable: string, fallback: string, about: string): Setting<string> => ({
  variable,
  about,
  example: fallback,
  read: (given) => given ?? fallback,
});

export const optional = (variable: string, about: string, example = ''): Setting<string | undefined> => ({
  variable,
  about,
  example,
  read: (given) => given,
});

export const optionalUrl = (
  variable: string,
  about: string,
  example: string,
): Setting<string | undefined> => ({
  variable,
  about,
  example,
  read: (given) => {
    if (given !== undefined && !URL.canParse(given)) throw new Error('is not a URL');
    return given;
  },
});

export const secret = (variable: string, shortest: number, about: string): Setting<string | undefined> => ({
  variable,
  about,
  read: (given) => {
    if (given !== undefined && given.length < shortest)
      throw new Error(`needs at least ${shortest} characters`);
    return given;
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

export const integer = (
  variable: string,
  fallback: number,
  [least, most]: [number, number],
  about: string,
): Setting<number> => ({
  variable,
  about,
  example: String(fallback),
  read: (given = String(fallback)) => {
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < least || value > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return value;
  },
});

export const list = (variable: string, about: string, example: string): Setting<string[] | undefined> => ({
  variable,
  about,
  example,
  read: (given) =>
    given
      ?.split(',')
      .map((item) => item.trim())
      .filter(Boolean),
});
