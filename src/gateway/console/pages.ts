import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/failures.ts';
import { routeNotFound } from '../http/failures.ts';
import type { Page } from '../http/pages.ts';
import { documentPage } from '../pages/documents.ts';

/** The console's own scripts and styles, and its API: nothing inline, and no other origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const consoleNotBuilt = failure(
  503,
  'CONSOLE_NOT_BUILT',
  'This installation has no console: run npm run build, or install its development packages',
);

const BUILT = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
const BUNDLER = new URL('../../../console/build.ts', import.meta.url);

type Files = Map<string, Uint8Array>;

/** Reads the console that `npm run build` wrote; without it, or in development, bundles the sources as they are. */
async function filesOf(isProduction: boolean): Promise<Files> {
  if (isProduction && existsSync(BUILT))
    return new Map(readdirSync(BUILT).map((name) => [name, readFileSync(join(BUILT, name))]));
  try {
    return await (await import(BUNDLER.href)).bundleConsole();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw consoleNotBuilt();
  }
}

/** The pages of the console: its files, and at every other path below `/console` the page that loads them. */
export function consolePages(isProduction: boolean): Page[] {
  let found: Promise<Map<string, Page>> | undefined;
  const pages = (): Promise<Map<string, Page>> => {
    found ??= filesOf(isProduction).then(pagesOf, (error) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  const answer: Page['answer'] = async (request, reply) => {
    const page = (await pages()).get(nameOf(request));
    if (!page) throw routeNotFound();
    return page.answer(request, reply);
  };
  return [
    { path: '/console', answer },
    { path: '/console/*', answer, allowanceOf: () => 'media' },
  ];
}

function nameOf({ params }: FastifyRequest): string {
  const path = (params as { '*'?: string })['*'] ?? '';
  if (path.startsWith('assets/')) return path.slice('assets/'.length);
  return path.startsWith('api/') ? '' : 'index.html';
}

function pagesOf(files: Files): Map<string, Page> {
  return new Map(
    [...files].map(([name, bytes]) => {
      const isIndex = name === 'index.html';
      const { page } = documentPage({
        path: name,
        write: () => bytes,
        type: isIndex ? 'text/html; charset=utf-8' : (TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain'),
        headers: isIndex ? { 'content-security-policy': POLICY } : {},
        // The names of all other files change with their content.
        cacheControl: () => (isIndex ? 'no-cache' : 'public, max-age=31536000, immutable'),
      });
      return [name, page];
    }),
  );
}
