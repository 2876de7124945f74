import { escapeHtml } from '../../kernel/text/html.ts';
import { ICON } from '../icon.ts';
import type { Json } from '../openapi/schemas.ts';
import { markedUp } from '../pages/marked-up.ts';
import { REFERENCE_STYLE } from '../pages/reference-style.ts';
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
<style>${REFERENCE_STYLE}</style></head>
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
