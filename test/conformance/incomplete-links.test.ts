import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedOperations } from '../support/api-contract.ts';
import { SHOWN_LINKS } from '../support/mail-links.ts';
import { startPlatform } from '../support/platform.ts';

// Mail programs break long links: a person who opens what is left of one gets a page, and a program the failure.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const pathOf = (id: string) => describedOperations().find((one) => one.id === id)?.path ?? '';

for (const id of SHOWN_LINKS)
  test(`a link without its token, or with a wrong one, shows a page in a browser: ${id}`, async () => {
    for (const query of ['', '?token=', '?token=x', `?token=${'x'.repeat(201)}`, '?token=a&token=b'])
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
