import { indicatorTools } from '../../support/indicators.ts';
import type { Actor, World } from '../world.ts';
import { type Recipes, step } from './steps.ts';

const SCANNERS = '/v1/streams/scanners';
const MARKETPLACE = '/v1/streams/marketplace';

/** A member to whom the administrator grants an indicator; without a script there it has to be done by hand. */
async function granted(world: World, fields: object = {}, handle?: string) {
  const [administrator, member] = [await world.one('administrator'), await world.newMember('stranger')];
  const { id } = await step(administrator, 'POST', SCANNERS, { name: 'Trend Pulse', ...fields });
  const given = { userId: member.id, chartingUsername: handle ?? `ada_${member.id}` };
  const row = await step(administrator, 'POST', `${SCANNERS}/${id}/access`, given);
  return { member, params: { id: id as string, accessId: row.id as string } };
}

const asAdministrator = async (world: World) => ({ params: (await granted(world)).params });

/** A member whom the backoffice knows. */
async function customer(world: World): Promise<{ member: Actor; customerId: string }> {
  const member = await world.newMember('stranger');
  const customerId = `C-${member.id}`;
  const administrator = await world.one('administrator');
  await step(administrator, 'PUT', `/v1/admin/auth/users/${member.id}`, { customerId });
  return { member, customerId };
}

async function asking(world: World) {
  const actor = await world.newMember('stranger');
  const product = { name: 'Gold', productType: 'misc' };
  const { id } = await step(await world.one('administrator'), 'POST', `${MARKETPLACE}/products`, product);
  return { actor, body: { productId: id, fullName: 'Ada Lovelace', email: actor.email } };
}

export const INDICATOR_RECIPES: Recipes = {
  grantIndicatorAccess: async (world) => {
    const { member, params } = await granted(world);
    return { params, body: { userId: member.id, chartingUsername: 'ada_trades' } };
  },
  listIndicatorAccess: asAdministrator,
  revokeIndicatorAccess: asAdministrator,
  retryIndicatorAccess: asAdministrator,
  resolveIndicatorAccess: asAdministrator,
  getIndicatorAccessHistory: asAdministrator,
  takeOverIndicatorAccess: async (world) => {
    const pineId = `PUB;${Date.now()}`;
    const tools = indicatorTools({ ...world.platform, admin: (await world.one('administrator')).client });
    await tools.admit(pineId, 'ada_found');
    const { params, member } = await granted(world, { pineId }, 'ada_found');
    await tools.untilStatus(member, { id: params.id }, 'active');
    return { params };
  },
  deleteIndicator: async (world) => ({
    params: { id: (await step(await world.one('administrator'), 'POST', SCANNERS, { name: 'Old' })).id },
  }),
  receiveIndicatorAccess: async (world) => {
    const { customerId } = await customer(world);
    return { body: { customer_id: customerId, action: 'grant', charting_username: `u_${customerId}` } };
  },
  receiveActivityStatus: async (world) => ({
    body: { userId: (await customer(world)).member.id, status: 'cancelled' },
  }),
  presignProductImage: async () => ({
    body: { fileName: 'gold.png', fileSize: 1_000, contentType: 'image/png' },
  }),
  presignEducatorUpload: async (world) => {
    const actor = await world.one('educator');
    const body = { fileName: 'gold.png', fileSize: 1_000, contentType: 'image/png' };
    return { actor, params: { educatorId: actor.id }, body };
  },
  submitAccessRequest: asking,
  decideAccessRequest: async (world) => {
    const { actor, body } = await asking(world);
    const { id } = await step(actor, 'POST', `${MARKETPLACE}/access-requests`, body);
    return { params: { id }, body: { status: 'approved' } };
  },
};
