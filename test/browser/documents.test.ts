// What docs/api.md shows of browsers runs in one, word by word.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { closePage, newPage } from '../support/browser.ts';
import { browserOfFile } from '../support/console-pages.ts';
import { addVirtualAuthenticator } from '../support/independent-authenticators.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform();

test('the program with passkeys adds one and signs in by it', { skip }, async () => {
  const { accessToken } = await platform.newMember();
  const { key } = await platform.newKey('mobile');
  const text = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const program = /```js\n(const \{ data: options \}.*?)```/s.exec(text)?.[1] ?? '';
  const page = await newPage(await opened(), [800, 600], { bypassCSP: true });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  // Passkeys belong to a domain, and an address of numbers is none.
  await page.goto(`${platform.url.replace('127.0.0.1', 'localhost')}/health/live`);
  await addVirtualAuthenticator(page);
  const data = await page.evaluate(`(async () => {
    let answer;
    const post = async (path, body) => {
      const isPublic = path.includes('/signin');
      const headers = { ...${JSON.stringify(headers)}, ...(isPublic ? {} : { authorization: 'Bearer ${accessToken}' }) };
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      answer = await response.json();
      if (!response.ok) throw new Error(path + ': ' + answer.message);
      return answer;
    };
    ${program}
    return Object.keys(answer.data);
  })()`);
  assert.deepEqual(data, ['accessToken', 'refreshToken', 'user']);
  await closePage(page);
});
