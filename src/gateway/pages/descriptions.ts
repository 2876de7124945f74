import { validationFailed } from '../../kernel/failures.ts';
import type { Operation } from '../../kernel/operations/operation.ts';
import { livePageOf } from '../asyncapi/page.ts';
import type { Page } from '../http/pages.ts';
import type { Json } from '../openapi/schemas.ts';
import { documentPage } from './documents.ts';
import { PLAIN_POLICY } from './home.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const PATH = '/openapi.json';

/**
 * The values of `x-audience` that the description for each audience includes: an app for educators also needs the
 * operations of members.
 */
const AUDIENCES: Record<string, string[]> = {
  member: ['client', 'member', 'anybody'],
  educator: ['client', 'member', 'anybody', 'educator'],
  moderator: ['client', 'member', 'anybody', 'moderator'],
  administrator: ['client', 'member', 'anybody', 'educator', 'moderator', 'administrator'],
};

/**
 * Returns the page of the API's description at `/openapi.json`; with `?audience=member` (or `educator`, `moderator`,
 * `administrator`) it describes only the operations that an app for that audience calls.
 */
export function descriptionPage(
  operations: Operation[],
  describe: (operations: Operation[]) => object,
): Page {
  const pageOf = (some: Operation[]): Page =>
    documentPage({ path: PATH, write: () => JSON.stringify(describe(some)), type: JSON_TYPE }).page;
  const whole = pageOf(operations);
  const parts = new Map(
    Object.entries(AUDIENCES).map(([audience, marks]) => [
      audience,
      pageOf(operations.filter(({ access }) => access.audience.some((mark) => marks.includes(mark)))),
    ]),
  );
  return {
    ...whole,
    answer: (request, reply) => {
      const { audience } = request.query as { audience?: string };
      const page = audience === undefined ? whole : parts.get(audience);
      if (!page)
        throw validationFailed([
          { field: 'audience', message: `must be one of ${[...parts.keys()].join(', ')}` },
        ]);
      return page.answer(request, reply);
    },
  };
}

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
