// The limits of the storage: a bare node:http server that stores and sends files, beside the platform's own storage.
// Both keep them in `FOLDER`.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../src/kernel/time/time.ts';
import { storageServer } from '../src/sandbox/storage/index.ts';

const folder = process.env.FOLDER as string;
const storage = storageServer({
  folder: join(folder, 'objects'),
  basePath: '/storage',
  credentials: { accessKeyId: 'bench', secretAccessKey: 'a secret of the benchmark' },
  bucket: 'bench',
  clock: systemClock,
});

/** Serves files by their base name, with the minimum that a player needs. */
const bare: RequestListener = async (request, response) => {
  const file = join(folder, basename(new URL(request.url ?? '/', 'http://bare').pathname));
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(file));
    response.end();
    return;
  }
  const { size } = await stat(file);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
  // A client that has everything it wants may disconnect before the stream ends.
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
};

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer({ requestTimeout: 0 }, handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ours = await listen((request, response) => void storage.handle(request, response));
console.log(`ready bare=${await listen((...call) => void bare(...call))} ours=${ours}`);
