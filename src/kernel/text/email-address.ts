import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Maximum length before parsing: twice the longest address, to allow for surrounding spaces and domains that get
 * shorter.
 */
const MAX_INPUT_LENGTH = 508;
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/**
 * A dot-atom of RFC 5322 and 6531 without `%` and `!`, which mail servers once used for source routing: such an address
 * names a mailbox elsewhere.
 */
const LOCAL = /^[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+)*$/u;

/** Invisible characters such as the zero-width space, which would let two accounts have addresses that look alike. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Characters allowed in a domain before conversion, which would otherwise drop or reinterpret the rest. */
const CONVERTIBLE = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Labels of at most 63 letters, digits and inner hyphens; the last label has a letter, unlike an IP address. */
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns an address as it is shown to operators: its first character and its domain. */
export function maskedAddress(email: string): string {
  const [first = ''] = email;
  return `${first}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Returns the canonical form in which an e-mail address is stored and compared: plain `local@domain` in lower case,
 * NFC, an internationalised domain in its ASCII form. Returns undefined for everything else: display names, comments,
 * quoted local parts, several addresses, characters with several spellings, and domains that cannot receive mail.
 */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > MAX_INPUT_LENGTH || INVISIBLE.test(text)) return undefined;
  const [, local = '', domain = ''] = /^[ \t\r\n]*([^@\s]+)@([^@\s]+)[ \t\r\n]*$/.exec(text) ?? [];
  const composed = local.normalize('NFC');
  if (!LOCAL.test(composed) || composed !== composed.normalize('NFKC')) return undefined;
  const canonicalLocal = composed.toLowerCase().normalize('NFC');
  const asciiDomain = CONVERTIBLE.test(domain) ? asciiDomainOf(domain) : '';
  const address = `${canonicalLocal}@${asciiDomain}`;
  const isShort = Buffer.byteLength(canonicalLocal) <= MAX_LOCAL_LENGTH && address.length <= MAX_LENGTH;
  return isShort && DOMAIN.test(asciiDomain) ? address : undefined;
}

/** Returns the ASCII form of a domain name, or '' when it is invalid, as with `xn--` labels that do not decode. */
function asciiDomainOf(domain: string): string {
  const ascii = domainToASCII(domain.normalize('NFC'));
  const isMeaningless = domainToUnicode(ascii)
    .split('.')
    .some((label) => label.startsWith('xn--'));
  return isMeaningless ? '' : ascii;
}

/** Whether a text is an e-mail address, ignoring surrounding spaces. */
export const isEmailAddress = (text: string): boolean => canonicalAddress(text) !== undefined;
