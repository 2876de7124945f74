import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { layOut } from '../../modules/mail/layout.ts';
import { smtpMailer } from './smtp.ts';

/** A mail server that records received mail byte for byte. */
const received: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      received.push(Buffer.concat(chunks).toString('latin1'));
      done();
    });
  },
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
const { port } = server.server.address() as AddressInfo;
const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Us <us@example.com>' });
after(async () => {
  mailer.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Returns the raw header, and the subject as a mail program reads it. */
async function mailed(subject: string): Promise<{ head: string; subject: string; lines: string[] }> {
  const written = layOut({ subject, paragraphs: ['p'] });
  await mailer.send({ id: 'a'.repeat(24), kind: 'email.test', to: 'x@example.com', ...written });
  const raw = received.at(-1) as string;
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  const parsed = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  return { head, subject: parsed.subject ?? '', lines: head.split('\r\n') };
}
const namesOf = (lines: string[]): string[] =>
  lines.flatMap((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? []);
const plain = await mailed('plain');

const piece = fc.constantFrom(
  ...[
    'a',
    'word ',
    'é',
    'e\u0301',
    '🎉',
    '👨‍👩‍👧‍👦',
    '日本',
    '?=',
    '=?utf-8?Q?',
    '_',
    '"',
    '<b>',
    ', ',
    ': ',
  ],
  ...['\r\n', '\n', '\r', '\r\nBcc: evil@example.com', '\u2028', '\u0085', '\0', '\u0007', '\t', '\u200b'],
);
const title = fc
  .array(piece, { minLength: 1, maxLength: 60 })
  .map((pieces) => pieces.join(''))
  .filter((text) => [...text].length <= 200);

test('a mail subject arrives unchanged on one line and cannot inject headers', async () => {
  await fc.assert(
    fc.asyncProperty(title, async (text) => {
      const { head, subject, lines } = await mailed(text);
      const meant = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
      assert.equal(subject, meant || 'A message for you');
      assert.deepEqual(namesOf(lines), namesOf(plain.lines));
      assert.match(head, /^[\x20-\x7e\r\n\t]*$/, 'ASCII alone');
      for (const line of lines) assert.ok(line.length <= 998, line);
      for (const [word] of head.matchAll(/=\?[^?\s]+\?[BQ]\?[^?\s]*\?=/gi))
        assert.ok(word.length <= 75, `an encoded word has at most 75 characters: ${word}`);
    }),
    { numRuns: 300 },
  );
});

test('a title of the maximum length fits into the subject, whatever its characters', async () => {
  for (const one of ['x', 'é', '🎉', 'e\u0301']) {
    const title = one.repeat(200 / [...one].length);
    assert.equal((await mailed(title)).subject, title);
  }
});

test('a longer subject is cut between characters', async () => {
  const { subject } = await mailed('👨‍👩‍👧‍👦'.repeat(100));
  assert.match(subject, /^(👨‍👩‍👧‍👦)+…$/);
});
