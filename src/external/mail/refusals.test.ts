import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { MailRefused } from './port.ts';
import { smtpMailer } from './smtp.ts';

/** A mail server that answers each command as a test says, and accepts all others. */
let answers: Record<string, string> = {};
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.write(answers.greeting ?? '220 hello\r\n');
  let isMail = false;
  socket.on('data', (chunk) => {
    const text = String(chunk);
    if (isMail) {
      if (!text.endsWith('\r\n.\r\n')) return;
      isMail = false;
      socket.write(answers.mail ?? '250 taken\r\n');
      return;
    }
    for (const line of text.split('\r\n').filter((one) => one !== '')) {
      const command = line.slice(0, 4).toUpperCase();
      isMail = command === 'DATA' && answers.DATA === undefined;
      socket.write(answers[command] ?? (isMail ? '354 go on\r\n' : '250 ok\r\n'));
    }
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function outcomeOf(given: Record<string, string>): Promise<'sent' | 'refused' | 'failed'> {
  answers = given;
  const { port } = server.address() as AddressInfo;
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Us <us@example.com>' });
  const mail = { id: 'a'.repeat(24), kind: 'email.test', to: 'ada@example.com' };
  try {
    await mailer.send({ ...mail, subject: 'A code', text: 'A code', html: '<p>A code' });
    return 'sent';
  } catch (error) {
    return error instanceof MailRefused ? 'refused' : 'failed';
  } finally {
    mailer.close();
  }
}

test('a refusal of the address or the mail is final; one of the connection is tried again', async () => {
  assert.equal(await outcomeOf({}), 'sent');
  assert.equal(await outcomeOf({ RCPT: '550 no such mailbox\r\n' }), 'refused');
  assert.equal(await outcomeOf({ mail: '552 too large\r\n' }), 'refused');
  assert.equal(await outcomeOf({ RCPT: '450 busy\r\n' }), 'failed');
  assert.equal(await outcomeOf({ greeting: '554 no service for you today\r\n' }), 'failed');
  assert.equal(await outcomeOf({ MAIL: '550 your sender is blocked\r\n' }), 'failed');
  const noGreetingTaken = { EHLO: '550 who are you\r\n', HELO: '550 who are you\r\n' };
  assert.equal(await outcomeOf(noGreetingTaken), 'failed');
});

test('a server that answers bit by bit is given up, and its connection is free for other mails', async () => {
  answers = { mail: '250-still\r\n' };
  const { port } = server.address() as AddressInfo;
  const mailer = smtpMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Us <us@example.com>',
    withinMs: 1_000,
  });
  const mail = { kind: 'email.test', to: 'ada@example.com', subject: 'A', text: 'A', html: '<p>A' };
  const trickling = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('250-still\r\n');
  }, 100);
  try {
    // As many as there are connections.
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => mailer.send({ ...mail, id }));
    for (const { status } of await Promise.allSettled(all)) assert.equal(status, 'rejected');
  } finally {
    clearInterval(trickling);
  }
  answers = {};
  await mailer.send({ ...mail, id: 'f' });
  mailer.close();
});
