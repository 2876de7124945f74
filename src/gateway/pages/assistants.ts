import { readFile } from 'node:fs/promises';
import type { Page } from '../http/pages.ts';
import { operationsAsMarkdown } from '../openapi/markdown.ts';
import { documentPage } from './documents.ts';

const GUIDE = new URL('../../../docs/api.md', import.meta.url);
const TYPE = 'text/markdown; charset=utf-8';

const INDEX = `# Platform API

> The backend platform of paid trading-education communities: members who sign in by what they have bought, a wallet of Keys, courses
> with video, educators, chat, indicators on a charting platform, and the operation of it all. JSON over HTTP with API keys and bearer
> tokens, and a WebSocket.

Every request under /v1 carries X-API-Key. Success is {success, status, message, data, meta}, failure {success, status, message, error,
errorId, meta}, with a stable code in \`error\`. Requests that move Keys take an Idempotency-Key.

## Documents

- [Everything as one text](/llms-full.txt): the guide for client developers, every operation, every shape
- [OpenAPI 3.1](/openapi.json): the machine-readable description; \`?audience=member\` keeps what an app for members calls
- [AsyncAPI 3.0](/asyncapi.json): the machine-readable description of the live channel

## Optional

- [Reference](/reference): all operations, each with a link to read about it and to try it in a browser
- [Reference of the live channel](/reference/live): all commands and messages of the WebSocket
`;

/**
 * Returns the pages for coding assistants, in the form of https://llmstxt.org: an index at `/llms.txt`, and at
 * `/llms-full.txt` the guide for client developers with all operations.
 */
export const assistantPages = (describe: () => object): Page[] => [
  documentPage({ path: '/llms.txt', write: () => INDEX, type: TYPE }).page,
  documentPage({
    path: '/llms-full.txt',
    write: async () =>
      `${withoutMarks(await readFile(GUIDE, 'utf8'))}\n${operationsAsMarkdown(describe())}\n`,
    type: TYPE,
  }).page,
];

/** Removes the comments that mark generated tables. */
const withoutMarks = (markdown: string): string => markdown.replaceAll(/^<!--.*-->\n/gm, '');
