import assert from 'node:assert/strict';
import { test } from 'node:test';
import { malformedUrl } from '../../src/gateway/http/failures.ts';
import { unsafeText } from '../../src/kernel/text/safe-text.ts';
import { describedOperations } from '../support/api-contract.ts';
import { SHOWN_LINKS } from '../support/mail-links.ts';
import { startPlatform } from '../support/platform.ts';
import { assertRefused } from '../support/refused.ts';

// Mail programs break long links: a person who opens what is left of one gets a page, and a program the failure.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const pathOf = (id: string) => describedOperations().find((one) => one.id === id)?.path ?? '';

for (const id of SHOWN_LINKS)
  test(`a link without its token, or with a wrong one, shows a page in a browser: ${id}`, async () => {
    const broken = ['?token=%E0%A4%A', '?token=%', '?token=a%00b', '?utm=%&token=x', '?token=x&utm=%00'];
    const others = ['', '?token=', '?token=x', `?token=${'x'.repeat(201)}`, '?token=a&token=b'];
    for (const query of [...others, ...broken])
      for (const method of ['GET', 'POST']) {
        const link = `${platform.url}${pathOf(id)}${query}`;
        const shown = await fetch(link, { method, headers: browser });
        const text = await shown.text();
        assert.ok([400, 422].includes(shown.status), `${shown.status}`);
        assert.match(shown.headers.get('content-type') ?? '', /^text\/html/, `${method} ${query}`);
        assert.match(text, /does not work/, `${method} ${query}`);
        const refused = await fetch(link, { method });
        assert.equal(refused.status, shown.status);
        assert.match(refused.headers.get('content-type') ?? '', /^application\/json/);
      }
  });

test('what others have added to a link is not read, however odd it is', async () => {
  for (const added of ['&utm=%E0%A4%A', '&utm=%00', '&%=%', '&utm=1&utm=2', '&utm[]=1', '&=&?']) {
    const { email } = await platform.newMember();
    const { text } = await platform.mailTo(email, 'email.verification');
    const { pathname, search } = new URL(/https?:\S+token=[\w-]+/.exec(text)?.[0] ?? '');
    const follow = async (method: string) => {
      const answer = await fetch(`${platform.url}${pathname}${search}${added}`, { method, headers: browser });
      return [answer.status, await answer.text()] as const;
    };
    const [shown, asking] = await follow('GET');
    assert.equal(shown, 200, `${added} ${asking}`);
    assert.match(asking, /Verify your e-mail address\?/);
    const [done, verified] = await follow('POST');
    assert.equal(done, 200, `${added} ${verified}`);
    assert.match(verified, /is verified/);
  }
});

test('a parameter of a link is checked however its name is written', async () => {
  for (const id of SHOWN_LINKS)
    for (const [query, failure] of [
      ['%74oken=a%00b', unsafeText],
      ['t%6Fken=%', malformedUrl],
    ] as const) {
      const answer = await platform.client.raw('GET', `${pathOf(id)}?${query}`);
      assertRefused(answer, failure);
    }
});

test('elsewhere a broken encoding is refused in any parameter', async () => {
  const answers = await Promise.all(
    ['limit=1&utm=%', 'limit=%E0%A4%A'].map((query) => platform.admin.raw('GET', `/v1/courses?${query}`)),
  );
  for (const answer of answers) assertRefused(answer, malformedUrl);
});
