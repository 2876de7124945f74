import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { addFilledPage, type Prefill } from '../page.ts';

/** Adds a page at `/video` to try lessons: upload a video, watch its transcoding, play it. */
export function addVideo(app: FastifyInstance, api: () => Prefill): void {
  const scripts = ['page.js', 'page-parts.js', 'watching.js', 'player.js', 'uploading.js'];
  addFilledPage(app, { path: '/video', beside: import.meta.url, scripts, api });
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
