import { escapeHtml } from '../../kernel/text/html.ts';
import { ICON } from '../icon.ts';
import type { Json } from '../openapi/schemas.ts';
import { fieldsTable, resolve } from './page-fields.ts';

/** The part of the description that the page uses. */
interface Described {
  info: { title: string; version: string; description: string };
  channels: {
    live: { address: string; 'x-close-codes': { code: number; reason: string; advice: string }[] };
  };
  operations: Record<string, Operation>;
  components: { messages: Record<string, Message>; schemas: Record<string, Json> };
}

interface Operation {
  action: 'send' | 'receive';
  messages: [{ $ref: string }];
  reply?: { messages: { $ref: string }[] };
  'x-audience'?: string;
  'x-error-codes'?: string[];
  'x-limit'?: string;
}

interface Message {
  name: string;
  title: string;
  summary: string;
  payload: Json;
  examples: { payload: Json }[];
  'x-audience'?: string;
}

/** Number of introductory paragraphs shown; the others are for readers of the raw description. */
const PARAGRAPHS = 2;

const STYLE = `
:root{color-scheme:light dark;--page:#fff;--text:#111827;--small:#4b5563;--line:#d1d5db;--code:#f3f4f6;--link:#1d4ed8}
@media(prefers-color-scheme:dark){:root{--page:#111827;--text:#f9fafb;--small:#d1d5db;--line:#4b5563;--code:#1f2937;--link:#93c5fd}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{font:16px/1.6 system-ui,sans-serif;margin:0;background:var(--page);color:var(--text);display:grid;grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--link)}a:focus-visible,pre:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);font-size:.9rem}
nav h2{font-size:.9rem;margin:1.25rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}nav li{overflow-wrap:anywhere}
main{max-width:54rem;padding:2rem;overflow-wrap:anywhere}
h1{line-height:1.2}h2{margin-top:3rem;border-bottom:1px solid var(--line)}h3{margin:2.5rem 0 .25rem;font-size:1.15rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace;background:var(--code);border-radius:.25rem}
code{padding:.1rem .3rem}h3 code{background:none;padding:0;font-size:1.15rem}
pre{padding:.75rem 1rem;overflow:auto}pre code{padding:0;background:none}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.75rem 0}
caption{text-align:left;color:var(--small);padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{white-space:nowrap}small{font-weight:400}.note{color:var(--small);margin:.25rem 0}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`;

/** Returns the readable reference of the live channel as one page without scripts, generated from its description. */
export function livePageOf(description: Json): string {
  const { info, channels, operations, components } = description as unknown as Described;
  const { schemas, messages } = components;
  const idOf = ({ $ref }: { $ref: string }): string => $ref.split('/').at(-1) as string;
  const link = (id: string): string =>
    `<a href="#${id}"><code>${escapeHtml(messages[id]?.title ?? id)}</code></a>`;
  const all = Object.values(operations).map((operation) => {
    const id = idOf(operation.messages[0]);
    return { id, operation, message: messages[id] as Message };
  });
  const commands = all.filter(({ operation }) => operation.action === 'receive');
  const sent = all.filter(({ operation }) => operation.action === 'send');

  function section({ id, operation, message }: (typeof all)[number]): string {
    const codes = operation['x-error-codes'] ?? [];
    const replies = operation.reply?.messages ?? [];
    const audience = operation['x-audience'] ?? message['x-audience'];
    const limit = operation['x-limit'];
    return `<section aria-labelledby="${id}"><h3 id="${id}"><code>${escapeHtml(message.title)}</code></h3>
<p>${markedUp(message.summary)}</p>
${audience ? `<p class="note">${operation.action === 'receive' ? 'Sent by' : 'Sent to'}: ${escapeHtml(audience)}.</p>` : ''}
${limit ? `<p class="note">At most: ${escapeHtml(limit)}.</p>` : ''}
${fieldsTable(resolve(message.payload, schemas), schemas, message.title)}
${message.examples.map(({ payload }) => exampleOf(message.title, payload)).join('\n')}
${replies.length > 0 ? `<p>Answered by ${replies.map((one) => link(idOf(one))).join(' or ')}.</p>` : ''}
${codes.length > 0 ? `<p>Rejected with ${codes.map((code) => `<code>${escapeHtml(code)}</code>`).join(', ')}.</p>` : ''}
</section>`;
  }

  const navigation = (title: string, some: typeof all): string =>
    `<h2>${title}</h2><ul>${some.map(({ id }) => `<li>${link(id)}</li>`).join('')}</ul>`;

  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${ICON}">
<style>${STYLE}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents"><a href="/reference">The HTTP reference</a>
${navigation('Commands', commands)}${navigation('Messages', sent)}
<h2>Closing</h2><ul><li><a href="#closes">Why connections are closed</a></li></ul></nav>
<main id="content"><h1>The live channel</h1>
${info.description
  .split('\n\n')
  .slice(0, PARAGRAPHS)
  .map((paragraph) => `<p>${markedUp(paragraph)}</p>`)
  .join('\n')}
<p>For programs: <a href="/asyncapi.json">the AsyncAPI 3.0 description</a>.</p>
<h2>Commands: what you send</h2>
${commands.map(section).join('\n')}
<h2>Messages: what you receive</h2>
${sent.map(section).join('\n')}
<h2 id="closes">Why connections are closed</h2>
<table><thead><tr><th scope="col">Code</th><th scope="col">Reason</th><th scope="col">What to do</th></tr></thead><tbody>
${channels.live['x-close-codes']
  .map(
    ({ code, reason, advice }) =>
      `<tr><th scope="row">${code}</th><td>${escapeHtml(reason)}</td><td>${markedUp(advice)}</td></tr>`,
  )
  .join('\n')}
</tbody></table></main></body></html>
`;
}

const exampleOf = (title: string, payload: Json): string =>
  `<pre tabindex="0" role="region" aria-label="Example of ${escapeHtml(title)}"><code>${escapeHtml(JSON.stringify(payload, null, 2))}</code></pre>`;

/** Escapes text for HTML and marks up code between backquotes. */
const markedUp = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
