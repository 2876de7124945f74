import { escapeHtml } from '../../kernel/text/html.ts';
import type { Page } from '../http/pages.ts';
import { ICON } from '../icon.ts';

/** For pages without scripts. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/**
 * Returns the page at the root, for people who open the address in a browser.
 * @param sandboxUrl base URL of the sandbox's external systems, in development
 */
export function homePage(sandboxUrl: string | undefined): Page {
  const links = [
    ['/reference', 'Reference', 'all operations, to read and to try; starts with a getting-started guide'],
    ['/reference/live', 'Reference of the live channel', 'all commands and messages of the WebSocket'],
    ['/openapi.json', 'OpenAPI description', 'for client generators'],
    ['/asyncapi.json', 'AsyncAPI description', 'the machine-readable description of the live channel'],
    ['/health/ready', 'Health', 'whether the platform is ready'],
    ...(sandboxUrl ? [[sandboxUrl, 'Sandbox', 'local stand-ins for external systems, in development']] : []),
  ] as [string, string, string][];
  const items = links.map(
    ([href, name, about]) => `<li><a href="${escapeHtml(href)}">${name}</a>: ${about}</li>`,
  );
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Platform API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${escapeHtml(ICON)}">
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><main><h1>Platform API</h1><p>The backend platform of paid trading-education communities.</p>
<ul>${items.join('\n')}</ul></main></body></html>
`;
  return {
    path: '/',
    answer: async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', PLAIN_POLICY).send(text),
  };
}
