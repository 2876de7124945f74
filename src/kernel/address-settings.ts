import { isIP } from 'node:net';
import type { Setting } from './settings.ts';
import { isEmailAddress } from './text/email-address.ts';

// The kinds of settings that name a place: URLs, origins, hosts, domains and addresses of mails.

type OptionalPlace = (variable: string, about: string, example: string) => Setting<string | undefined>;

/** Returns a maker of optional settings whose text must pass a check; it throws what completes "VARIABLE ...". */
const optionalPlace =
  (check: (text: string) => void): OptionalPlace =>
  (variable, about, example) => ({
    variable,
    about,
    example,
    read: (given) => {
      if (given !== undefined) check(given);
      return given;
    },
  });

/** Returns the parsed URL. Unlike the parser, it accepts neither blanks around it nor `http:/host`. */
function requireUrl(text: string, schemes: readonly string[]): URL {
  const named = schemes.join(' or ');
  const url = URL.parse(text);
  const isWritten = /^[a-z+]+:\/\/[^\s/]/i.test(text) && !/\s/.test(text);
  if (!url || !isWritten || !schemes.includes(url.protocol.slice(0, -1)))
    throw new Error(`is not an ${named} URL`);
  return url;
}

const WEB = ['http', 'https'] as const;

/** An http(s) address. */
export const optionalUrl = optionalPlace((text) => requireUrl(text, WEB));

/** A mail server. */
export const optionalSmtpUrl = optionalPlace((text) => requireUrl(text, ['smtp', 'smtps']));

/** Addresses that mean "every address of this machine", to which no other machine can connect. */
const UNSPECIFIED_HOSTS = ['0.0.0.0', '[::]'];

/** Returns an http(s) address that paths are appended to, without a trailing slash. */
function baseOf(text: string): string {
  const url = requireUrl(text, WEB);
  if (url.search || url.hash || url.username || url.password)
    throw new Error('must not have a query, a fragment or credentials');
  if (UNSPECIFIED_HOSTS.includes(url.hostname))
    throw new Error(`names ${url.hostname}, which no client can reach`);
  return text.replace(/\/+$/, '');
}

/** An http(s) address that paths are appended to; returned without a trailing slash. */
export const optionalBaseUrl: OptionalPlace = (variable, about, example) => ({
  variable,
  about,
  example,
  read: (given) => (given === undefined ? undefined : baseOf(given)),
});

/** The same with a default. */
export const baseUrl = (variable: string, fallback: string, about: string): Setting<string> => ({
  variable,
  about,
  example: fallback,
  read: (given = fallback) => baseOf(given),
});

/** What browsers send as `Origin`; apps have schemes of their own. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i;
/** How Android names an app as the origin of a passkey. */
const ANDROID_ORIGIN = /^android:apk-key-hash:[\w-]+$/;

/** A list of origins, separated by commas. */
export const origins = (variable: string, about: string, example: string): Setting<string[] | undefined> => ({
  variable,
  about,
  example,
  read: (given) => {
    const all = given?.split(',').map((one) => one.trim());
    const wrong = all?.find((one) => !ANDROID_ORIGIN.test(one) && !(ORIGIN.test(one) && URL.canParse(one)));
    if (wrong !== undefined)
      throw new Error(`contains "${wrong}", which is not an origin such as https://app.example.com`);
    return all;
  },
});

const HOST = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

/** An IP address or a host name. */
export const host = (variable: string, fallback: string, about: string): Setting<string> => ({
  variable,
  about,
  example: fallback,
  read: (given = fallback) => {
    if (isIP(given) === 0 && !HOST.test(given))
      throw new Error(`is "${given}", which is neither an IP address nor a host name`);
    return given;
  },
});

/** Hosts that are called by https, separated by commas; `*.` before one means its subdomains. */
export const secureHosts: typeof origins = (variable, about, example) => ({
  variable,
  about,
  example,
  read: (given) => {
    const all = given
      ?.split(',')
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean);
    if (all?.length === 0) throw new Error('names nothing');
    const wrong = all?.find((one) => !isSecureHost(one));
    if (wrong !== undefined)
      throw new Error(
        `contains "${wrong}", which is not a host such as push.example.com or *.push.example.com`,
      );
    return all;
  },
});

/** Whether it is a name, as opposed to an IP address, also in the forms that URLs allow: `10.1` is 10.0.0.1. */
const isHostName = (text: string): boolean =>
  isIP(text) === 0 &&
  text.split('.').every((label) => HOST.test(label)) &&
  URL.canParse(`https://${text}`) &&
  new URL(`https://${text}`).hostname === text;

function isSecureHost(text: string): boolean {
  const isWild = text.startsWith('*.');
  const [host = '', port, ...rest] = (isWild ? text.slice(2) : text).split(':');
  if (rest.length > 0 || !isHostName(host)) return false;
  // `*.com` would be every host of the web.
  if (isWild && !host.includes('.')) return false;
  return port === undefined || (/^\d{1,5}$/.test(port) && URL.canParse(`https://${host}:${port}`));
}

/** A domain, or `localhost`. */
export const optionalDomain = optionalPlace((text) => {
  if (!HOST.test(text) || isIP(text) !== 0) throw new Error('is not a domain');
});

export const optionalEmailAddress = optionalPlace((text) => {
  if (!isEmailAddress(text)) throw new Error('must be an e-mail address');
});

/** A sender of mails: an address, or a name with the address in angle brackets. */
export const mailbox = (variable: string, fallback: string, about: string): Setting<string> => ({
  variable,
  about,
  example: fallback,
  read: (given = fallback) => {
    const address = /^[^<>\r\n]*<([^<>\s]+)>$/.exec(given)?.[1] ?? given;
    if (!isEmailAddress(address) || /^\s|\s$/.test(given))
      throw new Error('must be an e-mail address, or a name with one: Platform <no-reply@example.com>');
    return given;
  },
});
