import { escapeHtml } from '../../kernel/text/html.ts';
import type { Page } from '../http/pages.ts';
import { ICON, ICON_SVG } from '../icon.ts';

/** For pages without scripts. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** A developer's first steps, with the key of the development installation. */
const firstSteps = (apiKey: string): string => `<h2>Begin</h2>
<p>Every call needs an API key. This one, of a client, is for development alone; <code>.data/development.json</code> has it too, with
the administrator's sign-in.</p>
<pre tabindex="0">X-API-Key: ${escapeHtml(apiKey)}</pre>
<p><code>npm run platform -- tour</code> shows what the platform does, request by request, and
<code>npm run platform -- seed</code> fills it with members to sign in as.</p>`;

/** Redirects from paths that people and browsers try on their own. */
export const redirectPages = (): Page[] => [
  { path: '/docs', answer: async (_request, reply) => reply.redirect('/reference') },
  {
    path: '/favicon.ico',
    answer: async (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON_SVG),
  },
];

/**
 * Returns the page at the root, for people who open the address in a browser.
 * @param sandboxUrl base URL of the sandbox's external systems, in development
 * @param apiKey a client's key, in development
 */
export function homePage(sandboxUrl: string | undefined, apiKey: string | undefined): Page {
  const links = [
    ['/console', 'Console', 'for operators and support'],
    ['/reference', 'Reference', 'all operations, to read and to try; starts with a getting-started guide'],
    ['/reference/live', 'Reference of the live channel', 'all commands and messages of the WebSocket'],
    ['/openapi.json', 'OpenAPI description', 'for client generators'],
    ['/asyncapi.json', 'AsyncAPI description', 'the machine-readable description of the live channel'],
    ['/llms.txt', 'Description for coding assistants', 'as Markdown'],
    ['/health/ready', 'Health', 'whether the platform is ready'],
    ...(sandboxUrl
      ? [
          [
            sandboxUrl,
            'Sandbox',
            'mailbox, pushes, chat, video and the controls of all stand-ins, in development',
          ],
        ]
      : []),
  ] as [string, string, string][];
  const items = links.map(
    ([href, name, about]) => `<li><a href="${escapeHtml(href)}">${name}</a>: ${about}</li>`,
  );
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Platform API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${escapeHtml(ICON)}">
<style>:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:light-dark(#1f2937,#f3f4f6);background:light-dark(#fff,#111827)}
a{color:light-dark(#1d4ed8,#93c5fd)}li{margin:.35rem 0}code,pre{font-size:.85rem}
pre{padding:.75rem 1rem;border-radius:.5rem;overflow-x:auto;background:light-dark(#f3f4f6,#1f2937)}</style></head>
<body><main><h1>Platform API</h1><p>The backend platform of paid trading-education communities.</p>
<ul>${items.join('\n')}</ul>${apiKey === undefined ? '' : firstSteps(apiKey)}</main></body></html>
`;
  return {
    path: '/',
    answer: async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', PLAIN_POLICY).send(text),
  };
}
