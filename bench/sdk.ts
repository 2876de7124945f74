// `npm run bench:sdk`: the CPU that a call through the SDK takes, beside bare `fetch` with the same headers, in turns.
// The server is another process, so that the CPU of this one is the client's alone.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '../sdk/src/index.ts';
import { median } from './paired.ts';

const CALLS = 3_000;
const ROUNDS = 9;
const AT_ONCE = 8;
const ANSWER = JSON.stringify({
  success: true,
  message: 'Balance retrieved',
  data: { balance: 100, currency: 'KEYS' },
  meta: { timestamp: '2026-01-01T00:00:00.000Z', version: 'v1' },
});

if (process.argv[2] === 'serve') {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(ANSWER),
  );
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
} else await run();

async function run(): Promise<void> {
  const child = fork(import.meta.filename, ['serve']);
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const baseUrl = `http://127.0.0.1:${port}`;
    const api = createClient({ baseUrl, apiKey: 'k' });
    const token = 'a'.repeat(300);
    await api.session.write({ id: 's', accessToken: token, refreshToken: 'r', receivedAt: Date.now() });
    const headers = { 'X-API-Key': 'k', Authorization: `Bearer ${token}` };
    const bare = async () => {
      const response = await fetch(`${baseUrl}/v1/wallets/balance`, { headers });
      const { data } = JSON.parse(await response.text());
      return data;
    };
    const ways = { bare, sdk: () => api.wallet.getBalance() };
    const ratios: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const bareUs = await cpuUsOf(ways.bare);
      const sdkUs = await cpuUsOf(ways.sdk);
      // The first round warms up.
      if (round < 0) continue;
      ratios.push(sdkUs / bareUs);
      console.log(`bare ${bareUs.toFixed(0)} us, SDK ${sdkUs.toFixed(0)} us, ${(sdkUs / bareUs).toFixed(2)}`);
    }
    console.log(`CPU a call, SDK beside bare fetch: ${median(ratios).toFixed(2)} (at most 1.15 wanted)`);
  } finally {
    child.kill();
  }
}

/** Microseconds of CPU of this process for a call. */
async function cpuUsOf(call: () => PromiseLike<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const work = async () => {
    for (let done = 0; done < CALLS / AT_ONCE; done++) await call();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
