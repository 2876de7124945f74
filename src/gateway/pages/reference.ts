import Fastify, { type FastifyRequest } from 'fastify';
import type { Page } from '../http/pages.ts';
import { ICON } from '../icon.ts';
import { withSamples } from '../openapi/samples.ts';
import { documentPage, type FixedDocument } from './documents.ts';
import { CONTENTS_POLICY, INTERACTIVE, referenceContentsOf } from './reference-contents.ts';

/** The viewer runs only our own scripts and calls only this API; it loads nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ');

const PROGRAM = '/reference/js/scalar.js';

/**
 * A browser that loads the version named in the reference caches it for a year; other readers revalidate once a day.
 */
const cacheOfProgram = ({ version }: FixedDocument, { query }: FastifyRequest): string =>
  `public, max-age=${(query as { v?: unknown }).v === version ? 31_536_000 : 86_400}, immutable`;

/** The description with code samples, for the reference only: it is a quarter larger than `/openapi.json`. */
const DESCRIPTION = '/reference/openapi.json';

/**
 * Returns the reference at `/reference`, which is its contents without a viewer, since that is a megabyte; the viewer at
 * `/reference/interactive`, its script, and the description that the script reads.
 * @param apiKey the key that it fills in, in development
 */
export function referencePages(describe: () => object, apiKey: string | undefined): Page[] {
  const program = documentPage({
    path: PROGRAM,
    write: readProgram,
    type: 'text/javascript; charset=utf-8',
    headers: { 'content-security-policy': POLICY },
    cacheControl: cacheOfProgram,
  });
  const contents = documentPage({
    path: '/reference',
    write: () => referenceContentsOf(describe()),
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': CONTENTS_POLICY },
  });
  const viewer = documentPage({
    path: INTERACTIVE,
    write: async () => pageWith(`${PROGRAM}?v=${(await program.document()).version}`, apiKey),
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY },
  });
  const description = documentPage({
    path: DESCRIPTION,
    write: () => JSON.stringify(withSamples(describe())),
    type: 'application/json; charset=utf-8',
  });
  return [contents.page, viewer.page, program.page, description.page];
}

/**
 * Returns the script, four megabytes, from the library's own server, the only way in which it is published. Loaded for
 * its first reader, so that it does not delay the start.
 */
async function readProgram(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, payload } = await server.inject(PROGRAM);
  await server.close();
  if (statusCode !== 200) throw new Error(`the library responded ${statusCode} to its own request`);
  return payload.replaceAll(SAMPLE_KEY, 'not set');
}

/** The library's placeholder for a key, which looks like a real one. */
const SAMPLE_KEY = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** The library's own colours have less contrast on its grey than WCAG's minimum of 4.5 to 1. */
const COLOURS = `
.light-mode {
  --scalar-color-2: #595959; --scalar-color-3: #636363; --scalar-color-green: #04694a; --scalar-color-red: #c4000c;
  --scalar-color-blue: #005a94; --scalar-color-orange: #a13a00;
}
.dark-mode { --scalar-color-2: #b4b4b4; --scalar-color-3: #9d9d9d; --scalar-color-red: #ff6b6a }`;

const CONFIGURATION = {
  customCss: COLOURS,
  url: DESCRIPTION,
  favicon: ICON,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};

const configurationOf = (apiKey: string | undefined) => ({
  ...CONFIGURATION,
  authentication: {
    preferredSecurityScheme: [['apiKey', 'bearer']],
    ...(apiKey ? { securitySchemes: { apiKey: { value: apiKey } } } : {}),
  },
});

const pageWith = (program: string, apiKey: string | undefined): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Interactive reference of the Platform API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${ICON}"></head>
<body><div id="reference"></div><noscript>The interactive reference needs JavaScript; <a href="/reference">the list
of all operations</a> and <a href="/openapi.json">the description</a> do not.</noscript>
<script src="${program}"></script>
<script>Scalar.createApiReference('#reference', ${JSON.stringify(configurationOf(apiKey))})</script></body></html>
`;
