import type { FastifyInstance } from 'fastify';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#b45309" stroke-width="1.5"><path d="M2 6h12l-1.5 8h-9z"/><path d="M5 6l2-4M11 6L9 2"/></svg>';

/** Adds the icon of all pages at the address where browsers look for one by themselves. */
export function addIcon(app: FastifyInstance): void {
  app.get('/favicon.ico', async (_request, reply) => reply.type('image/svg+xml').send(ICON));
}

interface PageParts {
  title: string;
  style: string;
  /** HTML of the main part. */
  main: string;
}

/** Returns an HTML page of the sandbox. */
export const sandboxPage = ({ title, style, main }: PageParts): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">
<style>
${style}
</style></head><body><main>
${main}
</main></body></html>`;
