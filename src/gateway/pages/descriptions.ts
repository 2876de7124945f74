import { livePageOf } from '../asyncapi/page.ts';
import type { Page } from '../http/pages.ts';
import type { Json } from '../openapi/schemas.ts';
import { documentPage } from './documents.ts';
import { PLAIN_POLICY } from './home.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the page of the API's description at `/openapi.json`. */
export const descriptionPage = (describe: () => object): Page =>
  documentPage({ path: '/openapi.json', write: () => JSON.stringify(describe()), type: JSON_TYPE }).page;

/** Returns the pages of the live channel's description at `/asyncapi.json` and its reference at `/reference/live`. */
export const liveDescriptionPages = (describe: () => Json): Page[] => [
  documentPage({ path: '/asyncapi.json', write: () => JSON.stringify(describe()), type: JSON_TYPE }).page,
  documentPage({
    path: '/reference/live',
    write: () => livePageOf(describe()),
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': PLAIN_POLICY },
  }).page,
];
