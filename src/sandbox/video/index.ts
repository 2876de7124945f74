import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { filledPage, type Prefill } from '../page.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Adds a page at `/video` to try lessons: upload a video, watch its transcoding, play it. */
export function addVideo(app: FastifyInstance, api: () => Prefill): void {
  const page = read('page.html');
  app.get('/video', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(filledPage(page, '/video', api())),
  );
  for (const name of ['page.js', 'page-parts.js', 'watching.js', 'player.js', 'uploading.js']) {
    const script = read(name);
    app.get(`/video/${name}`, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    );
  }
  app.get('/video/hls.js', async (_request, reply) => {
    try {
      // Needed by browsers without native HLS; a development dependency.
      const script = readFileSync(fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.mjs')));
      return reply.type('text/javascript; charset=utf-8').send(script);
    } catch {
      return reply.code(404).send({ error: 'hls.js is not installed' });
    }
  });
}
