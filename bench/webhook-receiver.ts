// A receiver of webhooks that counts, in a separate process: `/<name>` accepts deliveries, `/hang` never responds
// to them, and `GET /figures` returns the counts since the last request.
import { createServer } from 'node:http';

let delaysMs: number[] = [];
let events = 0;

/** The time of the event within the body, without parsing the rest of it. */
function delayOf(body: string): number {
  const from = body.indexOf('"timestamp":"') + 13;
  return Date.now() - Date.parse(body.slice(from, body.indexOf('"', from)));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const sorted = delaysMs.sort((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? null;
    response.end(JSON.stringify({ events, p50Ms: at(0.5), p99Ms: at(0.99) }));
    if (request.url?.endsWith('?reset')) [delaysMs, events] = [[], 0];
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url === '/hang') return;
    events++;
    delaysMs.push(delayOf(body));
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready url=http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
