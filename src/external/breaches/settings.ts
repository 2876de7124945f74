import { optionalBaseUrl } from '../../kernel/address-settings.ts';
import type { Setting, ValuesOf } from '../../kernel/settings.ts';

/** Settings of the list of passwords from breaches. */
export const breachSettings = {
  url: optionalBaseUrl(
    'BREACHED_PASSWORDS_URL',
    'Base URL of a list of breached passwords in the range format of Have I Been Pwned, of which new passwords are refused; without it none is asked. A GET below it has five hexadecimal digits of a digest, never the password',
    'https://api.pwnedpasswords.com/range',
  ),
} satisfies Record<string, Setting<unknown>>;

export type BreachSettings = ValuesOf<typeof breachSettings>;
