import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAccessRequest, deleteUser, listAccessRequests } from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { ANSWERED } from '../../../test/support/indicators.ts';
import { until } from '../../../test/support/live.ts';
import { marketplaceTools } from '../../../test/support/marketplace.ts';
import { startPlatform } from '../../../test/support/platform.ts';

// The requests that wait for a decision, as reviewers list, count and export them.

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const { newProduct, ask } = marketplaceTools(platform);
type Member = Awaited<ReturnType<typeof newMember>>;
type Status = TypesOf<typeof decideAccessRequest>['body']['status'];

const decide = ({ id }: { id: string }, status: Status) =>
  admin.call(decideAccessRequest, { params: { id }, body: { status } });

test('the queue is read to its end by a cursor, although each request that was read leaves it', async () => {
  const product = await newProduct({});
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await ask(await newMember(), product)).data.id);
  const seen: string[] = [];
  for (let before: string | undefined; ; ) {
    const query = { productId: product.id, status: 'pending' as const, limit: 2, before };
    const { data } = await admin.call(listAccessRequests, { query });
    const last = data.at(-1);
    if (!last) break;
    for (const { id } of data) await decide({ id }, 'approved');
    seen.push(...data.map(({ id }) => id));
    before = `${last.updatedAt}_${last.id}`;
  }
  assert.deepEqual(seen, made.reverse());
});

test("the review queue shows the account's e-mail beside the one that was entered", async () => {
  const [eve, product] = [await newMember(), await newProduct({ name: 'Envied' })];
  const typed = `somebody.else.${eve.id}@example.com`;
  await ask(eve, product, { email: typed });
  const { data } = await admin.call(listAccessRequests, { query: { productId: product.id } });
  assert.deepEqual([data[0]?.email, data[0]?.accountEmail], [typed, eve.email]);
  const { body } = await admin.attempt(listAccessRequests, {
    query: { format: 'csv', productId: product.id },
  });
  assert.ok(String(body).includes(`,${typed},${eve.email},`), String(body));
});

test('the review queue is exported without executable formulas', async () => {
  const ada = await newMember();
  const product = await newProduct({ name: '=cmd()' });
  await ask(ada, product);
  const { headers, body } = await admin.call(listAccessRequests, {
    query: { format: 'csv', productId: product.id },
  });
  assert.match(headers.get('content-type') ?? '', /text\/csv/);
  const [head, line] = String(body).split('\r\n');
  assert.ok(head?.startsWith('id,productId,productName'));
  assert.ok(line?.includes("'=cmd()"));
});

test('the totals of the queue are exact after concurrent submissions, decisions and a deletion', async () => {
  const members = await Promise.all(Array.from({ length: 4 }, newMember));
  const products = [await newProduct({}), await newProduct({})];
  const requests = await Promise.all(
    members.flatMap((one) => products.map(async (product) => (await ask(one, product)).data)),
  );
  const statuses: [Status, Status, Status] = ['approved', 'denied', 'pending'];
  await Promise.all([
    ...requests.flatMap((one, place) => [
      decide(one, statuses[place % 3] as Status),
      decide(one, statuses[(place + 1) % 3] as Status),
    ]),
    ...members.flatMap((one) => products.map((product) => ask(one, product, { fullName: 'New' }))),
  ]);
  const totalOf = async (query: TypesOf<typeof listAccessRequests>['query']) =>
    (await admin.call(listAccessRequests, { query: { limit: 1, ...query } })).body.pagination.total;
  const check = async () => {
    const { data: rows } = await admin.call(listAccessRequests, { query: { limit: 100 } });
    assert.equal(await totalOf({}), rows.length);
    for (const status of statuses) {
      const inStatus = rows.filter((row) => row.status === status);
      assert.equal(await totalOf({ status }), inStatus.length, status);
      for (const { id: productId } of products) {
        const ofProduct = inStatus.filter((row) => row.productId === productId);
        assert.equal(await totalOf({ status, productId }), ofProduct.length, `${status} ${productId}`);
      }
    }
  };
  await check();
  const [first] = members as [Member, ...Member[]];
  await admin.call(deleteUser, { params: { userId: first.id } });
  await until(
    async () => (await totalOf({ productId: products[0]?.id })) === 3,
    'the erasure of the requests of the deleted member',
  );
  await check();
  assert.equal(await totalOf({ search: 'new' }), await totalOf({ search: 'NEW' }));
  assert.equal(await totalOf({ search: 'ne' }), await totalOf({ search: 'new' }), 'the beginning of a word');
  assert.equal(await totalOf({ search: 'ew' }), 0, 'two letters within words');
});

test('a request is found by its e-mail as the member typed it, with the spaces of a paste', async () => {
  const [ada, product] = [await newMember(), await newProduct({})];
  const email = `Ada.${ada.id}@Bücher.example`;
  const { data } = await ask(ada, product, { email });
  assert.match(data.email, /@xn--bcher-kva\.example$/);
  for (const search of [email, ` ${email} `, `${data.email} `]) {
    const { data: found } = await admin.call(listAccessRequests, { query: { search } });
    assert.deepEqual(
      found.map(({ id }) => id),
      [data.id],
      search,
    );
  }
});
