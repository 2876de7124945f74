import { domainToASCII, domainToUnicode } from 'node:url';

/** Before it is read: twice the longest address, for spaces around it and domains that get shorter. */
const MAX_INPUT_LENGTH = 508;
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/**
 * A dot-atom of RFC 5322 and 6531 without `%` and `!`, by which mail servers once routed: those name somebody else's
 * mailbox.
 */
const LOCAL = /^[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+)*$/u;

/** What is not seen, such as a zero-width space: two addresses that look alike would be two accounts. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** What may stand in a domain before it is converted; the conversion itself would drop or reinterpret the rest. */
const CONVERTIBLE = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Letters, digits and hyphens within, in labels of at most 63; the last one has a letter, unlike an IP address. */
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form of an e-mail address that is stored and compared: plain `local@domain` in lower case, NFC, an
 * internationalised domain in its ASCII form. Undefined for everything else: display names, comments, quoted local
 * parts, several addresses, characters with several spellings, and domains that no mail could reach.
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

/** Empty for what is no domain name. Labels that claim to be converted, and mean nothing, are none. */
function asciiDomainOf(domain: string): string {
  const ascii = domainToASCII(domain.normalize('NFC'));
  const isMeaningless = domainToUnicode(ascii)
    .split('.')
    .some((label) => label.startsWith('xn--'));
  return isMeaningless ? '' : ascii;
}

/** Whether a text is an e-mail address, spaces around it aside. */
export const isEmailAddress = (text: string): boolean => canonicalAddress(text) !== undefined;
