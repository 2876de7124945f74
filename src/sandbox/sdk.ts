import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const ENTRY = fileURLToPath(new URL('../../sdk/src/index.ts', import.meta.url));

/** Adds the client SDK at `/sdk.js` as one module, bundled from its sources when a page first asks for it. */
export function addSdk(app: FastifyInstance): void {
  let bundled: Promise<Uint8Array> | undefined;
  app.get('/sdk.js', async (_request, reply) => {
    bundled ??= bundle();
    return reply.type('text/javascript; charset=utf-8').send(await bundled);
  });
}

async function bundle(): Promise<Uint8Array> {
  // A development dependency, which only these pages need.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return (outputFiles[0] as { contents: Uint8Array }).contents;
}
