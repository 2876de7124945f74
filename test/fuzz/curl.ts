import type { Sent } from './requests.ts';

const MAX_TEXT = 2_000;
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the `curl` command that repeats a request. */
export function curlOf({ actor, method, path, text, headers }: Sent): string {
  const { url, headers: sent } = actor.client.with({ 'content-type': 'application/json', ...headers });
  const lines = Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = text === undefined ? [] : [`--data-raw ${quoted(text.slice(0, MAX_TEXT))}`];
  return ['curl -X', method, quoted(url + path), ...lines, ...body].join(' ');
}
