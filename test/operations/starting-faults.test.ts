import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { newInstallation } from '../support/installation.ts';
import { PRODUCTION, runProgram, startCommand } from '../support/programs.ts';

const { folder, environment } = await newInstallation();

test('an unreachable database and an invalid setting are reported in a sentence', async () => {
  const list = ['src/main.js', 'keys', 'list'];
  const away = await runProgram(list, { ...environment, DATABASE_URL: 'postgresql://x:y@127.0.0.1:1/x' });
  assert.deepEqual([away.code, away.output], [1, '']);
  assert.match(away.complaints, /^Cannot connect: .*127\.0\.0\.1:1\. Check DATABASE_URL and REDIS_URL\.\n$/);
  const faulty = await runProgram(list, { ...environment, TRUSTED_PROXIES: 'foo' });
  assert.match(faulty.complaints, /TRUSTED_PROXIES contains foo/);
  assert.doesNotMatch(faulty.complaints, /\n +at /);
});

/** What answers at the port of DATABASE_URL, and the sentence that ends the command. */
const ODD_SERVERS: { title: string; query?: string; answer: (client: Socket) => void; sentence: RegExp }[] = [
  {
    title: 'hangs',
    answer: () => undefined,
    sentence:
      /^The server of DATABASE_URL does not answer as PostgreSQL should: .*timeout.*its address and port\.$/m,
  },
  {
    title: 'is no PostgreSQL',
    answer: (client) => client.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    sentence: /^The server of DATABASE_URL does not answer as PostgreSQL should: /m,
  },
  {
    title: 'has no TLS',
    query: '?sslmode=verify-full',
    answer: (client) => client.write('N'),
    sentence: /^Cannot connect by TLS: .*SSL.* Check sslmode and sslrootcert of DATABASE_URL/m,
  },
];
for (const { title, query = '', answer, sentence } of ODD_SERVERS) {
  test(`a server that ${title} is reported in a sentence`, async (t) => {
    const server = createServer((client) => {
      client.on('error', () => undefined).once('data', () => answer(client));
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const DATABASE_URL = `postgresql://x:y@127.0.0.1:${port}/x${query}`;
    for (const command of ['verify', 'migrate']) {
      const { code, complaints } = await runProgram(['src/main.js', command], {
        ...environment,
        DATABASE_URL,
      });
      assert.equal(code, 1);
      assert.match(complaints, sentence);
      assert.doesNotMatch(complaints, /\n +at /);
    }
  });
}

test('a certificate that cannot be read is reported with the setting that names it', async () => {
  const DATABASE_URL = 'postgresql://x:y@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/nowhere.pem';
  const { code, complaints } = await runProgram(['src/main.js', 'verify'], { ...environment, DATABASE_URL });
  assert.equal(code, 1);
  assert.match(complaints, /- DATABASE_URL names sslrootcert=\/nowhere\.pem, which cannot be read: ENOENT$/m);
});

test('a customer directory that does not answer at the first start is named in the error', async () => {
  const own = await newDatabase();
  after(own.drop);
  const ended = await runProgram(['src/main.js', 'start'], {
    ...environment,
    DATABASE_URL: own.url,
    DATA_DIR: join(folder, 'no-directory'),
    CUSTOMER_DIRECTORY: 'backoffice',
    BACKOFFICE_URL: 'http://127.0.0.1:1',
  });
  assert.equal(ended.code, 1);
  assert.match(ended.complaints, /The administrator of ADMIN_EMAIL cannot be created, .* BACKOFFICE_URL\./);
  assert.doesNotMatch(ended.complaints, /\n +at /);
});

const onLinux = { skip: process.platform !== 'linux' };

test(
  'a limit of open files that is lower than LIVE_CONNECTIONS needs is told at the start',
  onLinux,
  async () => {
    const own = await newDatabase();
    after(own.drop);
    const start = async (files: number) => {
      const program = await startCommand(
        'sh',
        ['-c', `ulimit -n ${files} && exec '${process.execPath}' src/main.js start`],
        {
          ...PRODUCTION,
          DATABASE_URL: own.url,
          DATA_DIR: join(folder, 'few-files'),
          LOG_LEVEL: 'warn',
          LIVE_CONNECTIONS: '1000',
        },
      );
      assert.equal(await program.end('SIGTERM'), 0);
      return program.complaints();
    };
    assert.match(await start(1_699), /LIVE_CONNECTIONS allows 1200 connections, .* open 1699 files/);
    assert.doesNotMatch(await start(1_700), /LIVE_CONNECTIONS/);
  },
);
