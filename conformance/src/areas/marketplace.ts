import type { Area } from '../cases.ts';
import type { Trial } from '../trial.ts';

const SECTION = 'part 2, "Marketplace"';
const PRODUCTS = '/v1/streams/marketplace/products';
const REQUESTS = '/v1/streams/marketplace/access-requests';

async function newProduct(trial: Trial, fields: object = {}) {
  const body = { name: `Conformance ${trial.at.run}`, productType: 'misc', ctaType: 'form', ...fields };
  const product = trial.accepted(await trial.post(trial.at.admin, PRODUCTS, body), 201);
  trial.at.onClose(trial.at.admin, 'DELETE', `${PRODUCTS}/${product.id}`);
  return product;
}

export const marketplace: Area = {
  name: 'marketplace',
  cases: [
    {
      title: 'active products are public, others are not',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const { id } = await newProduct(trial);
        const isListed = async () => {
          const { body } = await trial.get(trial.at.key, PRODUCTS);
          return body.data.some((one: { id: string }) => one.id === id);
        };
        trial.equal(await isListed(), true, 'whether it is listed');
        trial.accepted(await trial.put(trial.at.admin, `${PRODUCTS}/${id}`, { isActive: false }), 200);
        trial.equal(await isListed(), false, 'whether it is listed');
        const { body } = await trial.get(trial.at.admin, `${PRODUCTS}/all`);
        trial.ok(
          body.data.some((one: { id: string }) => one.id === id),
          'administrators do not see it',
        );
        const widened = await trial.get(trial.at.key, `${PRODUCTS}?includeInactive=true`);
        trial.ok(!widened.text.includes(id), 'a parameter widens the list');
      },
    },
    {
      title: 'a scanner product is no link, and a form has at most 25 questions',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const body = { name: 'x', productType: 'scanner', ctaType: 'link', ctaUrl: 'https://example.com' };
        const answer = await trial.post(trial.at.admin, PRODUCTS, body);
        trial.ok([400, 422].includes(answer.status), `a scanner product with a link is ${answer.status}`);
        const requestFields = Array.from({ length: 26 }, (_, place) => ({ label: `Question ${place}` }));
        const many = { name: 'x', productType: 'misc', ctaType: 'form', requestFields };
        trial.refused(await trial.post(trial.at.admin, PRODUCTS, many), 422);
        const product = await newProduct(trial, { requestFields: requestFields.slice(0, 25) });
        trial.equal(product.requestFields.length, 25, 'the number of questions');
        const path = `${PRODUCTS}/${product.id}`;
        const renamed = trial.accepted(await trial.put(trial.at.admin, path, { name: 'Renamed' }), 200);
        trial.equal(renamed.requestFields.length, 25, 'the number of questions after another change');
        const link = { ctaType: 'link', ctaUrl: 'https://example.com/buy' };
        const linked = trial.accepted(await trial.put(trial.at.admin, path, link), 200);
        trial.equal([linked.requestFields, linked.ctaUrl], [[], link.ctaUrl], 'a product that is a link now');
        const back = trial.accepted(await trial.put(trial.at.admin, path, { ctaType: 'form' }), 200);
        trial.ok(!back.ctaUrl, 'the address stays when it is a form again');
      },
    },
    {
      title: 'a request is submitted once for each product and address, decided, and stays approved',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const [{ id: productId }, member] = [await newProduct(trial), await trial.at.newMember()];
        const body = { productId, fullName: '  Con Formance ', email: member.email.toUpperCase() };
        const first = trial.accepted(await trial.post(member, REQUESTS, body), 201);
        trial.equal(
          [first.status, first.fullName, first.email],
          ['pending', 'Con Formance', member.email],
          'the request',
        );
        const again = await trial.post(member, REQUESTS, { ...body, fullName: 'Another' });
        trial.equal(trial.accepted(again, 200).id, first.id, '"id"');
        const statusOf = async () =>
          trial.accepted(
            await trial.get(member, `${REQUESTS}/status?email=${encodeURIComponent(member.email)}`),
            200,
          );
        trial.equal((await statusOf())[productId], 'pending', 'the status');
        const decide = (status: string) => trial.patch(trial.at.admin, `${REQUESTS}/${first.id}`, { status });
        trial.accepted(await decide('approved'), 200);
        trial.equal((await statusOf())[productId], 'approved', 'the status');
        const after = await trial.post(member, REQUESTS, { ...body, fullName: 'A third' });
        trial.equal(trial.accepted(after, 200).status, 'approved', '"status"');
        trial.refused(await decide('maybe'), 422);
        trial.accepted(await decide('denied'), 200);
        trial.refused(await trial.get(member, REQUESTS), 403);
      },
    },
    {
      title: 'a request for an indicator needs a handle',
      section: SECTION,
      needs: ['administrator'],
      run: async (trial) => {
        const scanner = { name: `Conformance ${trial.at.run}`, isActive: false };
        const { id } = trial.accepted(await trial.post(trial.at.admin, '/v1/streams/scanners', scanner), 201);
        trial.at.onClose(trial.at.admin, 'DELETE', `/v1/streams/scanners/${id}`);
        const product = await newProduct(trial, { productType: 'scanner', scannerId: id });
        const member = await trial.at.newMember();
        const body = { productId: product.id, fullName: 'Con Formance', email: member.email };
        trial.refused(await trial.post(member, REQUESTS, body), 400);
        trial.refused(await trial.post(member, REQUESTS, { ...body, email: 'nobody', chartingId: 'x' }), 422);
        trial.accepted(await trial.post(member, REQUESTS, { ...body, chartingId: 'con_formance' }), 201);
        const nothing = { ...body, productId: 'f'.repeat(24), chartingId: 'x' };
        trial.refused(await trial.post(member, REQUESTS, nothing), 404);
      },
    },
  ],
};
