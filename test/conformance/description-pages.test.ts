// In a file of its own, since other tests of pages use up the allowance of the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const get = (path: string) => fetch(platform.url + path);

test('the description for an audience contains exactly the operations that its apps call', async () => {
  const idsFor = async (query: string): Promise<string[]> => {
    const answer = await get(`/openapi.json${query}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const { paths } = JSON.parse(text) as { paths: Record<string, object> };
    return Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId }) => operationId);
  };
  const [all, member, educator, administrator] = await Promise.all(
    ['', '?audience=member', '?audience=educator', '?audience=administrator'].map(idsFor),
  );
  for (const id of ['signIn', 'transferKeys', 'listCourses']) assert.ok(member?.includes(id), id);
  assert.ok(!member?.includes('createCourse') && educator?.includes('createCourse'));
  assert.ok(!educator?.includes('createApiKey') && administrator?.includes('createApiKey'));
  assert.ok((administrator?.length ?? 0) < (all?.length ?? 0), 'webhooks of providers are for nobody');
  const refused = await get('/openapi.json?audience=nobody');
  const { error, errors } = (await refused.json()) as { error: string; errors: { field: string }[] };
  assert.deepEqual([refused.status, error, errors[0]?.field], [422, 'VALIDATION_FAILED', 'audience']);
  assert.equal((await get('/openapi.json?audience=member&audience=educator')).status, 422);
});

test('assistants find an index, and the guide with every operation and shape in one text', async () => {
  const index = await get('/llms.txt');
  const links = [...(await index.text()).matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path as string);
  assert.ok(links.includes('/llms-full.txt'));
  for (const link of links) assert.equal((await get(link)).status, 200, link);
  const full = await get('/llms-full.txt');
  assert.equal(full.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const text = await full.text();
  const { paths, components } = (await (await get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: object };
  };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId }] of Object.entries(methods)) {
      assert.ok(text.includes(`### ${operationId}: `), operationId);
      assert.ok(text.includes(`\`${method.toUpperCase()} ${path}\``), path);
    }
  for (const name of Object.keys(components.schemas))
    if (!name.endsWith('Answer')) assert.ok(text.includes(`\n${name} = `), name);
  assert.match(text, /### transferKeys[^#]*INSUFFICIENT_BALANCE/);
  assert.doesNotMatch(text, /<!--/);
});
