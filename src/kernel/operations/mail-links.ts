import { type Static, type TObject, Type } from 'typebox';
import type { Failure, FailureMaker } from '../failures.ts';
import { signedLink } from './access.ts';
import type { RequestFacts } from './callers.ts';
import {
  HtmlPage,
  type Operation,
  ok,
  operation,
  type RawRequest,
  type Success,
  showsPages,
} from './operation.ts';

/**
 * Mail programs send one or two fields, and the platform's own pages none. The limit is low because the link requires
 * no credentials.
 */
const MAX_FORM_BYTES = 16 * 1024;

const LinkQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The token of the link' }),
});
const Shown = Type.Object({});
const NoFields = Type.Object({});

/** A link in a mail. Following it needs no sign-in: the token in its address is the proof. */
interface MailLink<Data, Body extends TObject> {
  path: string;
  /** Groups its operations in the reference. */
  tag: string;
  /** The operation that shows the page, as the description names it. */
  show: { id: string; summary: string; description: string };
  /** The operation behind the button of the page. */
  act: { id: string; summary: string; description?: string };
  /** The fields of the form; by default it has none. */
  body?: Body;
  success: Success<Data>;
  /** The failure of a token that is not valid. */
  invalid: FailureMaker;
  /** Further failures of its operations. */
  failures?: FailureMaker[];
  /** HTML of the pages that ask for confirmation, confirm the result, and report an invalid token. */
  pages: {
    asking: (token: string, facts: RequestFacts) => string | Promise<string>;
    done: (done: Data) => string;
    invalid: () => string;
  };
  /** Whether the button would have an effect. */
  isValid(token: string): boolean | Promise<boolean>;
  /** Carries out the action of the link; returns undefined for an invalid token. */
  run(token: string, body: Static<Body>, facts: RequestFacts): Promise<Data | undefined>;
}

const wantsPage = (raw: RawRequest): boolean => showsPages(raw.header('accept'));

/**
 * Returns the two operations of a link in a mail. Opening it shows a page and changes nothing, because link scanners of
 * mail programs follow links, too; the button of the page sends the POST request.
 */
export function mailLink<Data, Body extends TObject = typeof NoFields>(
  link: MailLink<Data, Body>,
): Operation[] {
  const { path, tag, body = NoFields, success, invalid, failures = [], pages, isValid, run } = link;
  // A link that a mail program has broken lacks its token (422), has one that nobody can decode (400), or another one.
  const failurePage = ({ status, code }: Failure) =>
    status === 400 || status === 422 || code === invalid().code ? pages.invalid() : undefined;
  const shared = { path, tag, access: signedLink, isLink: true, query: LinkQuery, failurePage };
  return [
    operation({
      ...shared,
      ...link.act,
      method: 'POST',
      form: true,
      maxBodyBytes: MAX_FORM_BYTES,
      body,
      success: { ...success, alsoAs: 'text/html' },
      failures: [invalid, ...failures],
      handle: async ({
        query,
        body,
        raw,
        facts,
      }: {
        query: Static<typeof LinkQuery>;
        body: unknown;
        raw: RawRequest;
        facts: RequestFacts;
      }) => {
        const done = await run(query.token, body as Static<Body>, facts);
        if (done === undefined) throw invalid();
        return wantsPage(raw) ? new HtmlPage(200, pages.done(done)) : done;
      },
    }),
    operation({
      ...shared,
      ...link.show,
      method: 'GET',
      success: ok(Shown, { message: 'A page that asks for confirmation', alsoAs: 'text/html' }),
      failures: [invalid],
      handle: async ({ query: { token }, facts }) => {
        if (!(await isValid(token))) throw invalid();
        return new HtmlPage(200, await pages.asking(token, facts));
      },
    }),
  ];
}
