import {
  createIndicator,
  createProduct,
  grantIndicatorAccess,
  submitAccessRequest,
  updateUser,
} from '../../../sdk/src/index.ts';
import { indicatorTools } from '../../support/indicators.ts';
import type { Actor, World } from '../world.ts';
import type { Recipes } from './steps.ts';

/** A member to whom the administrator grants an indicator; without a script there it has to be done by hand. */
async function granted(world: World, fields: object = {}, handle?: string) {
  const [administrator, member] = [await world.one('administrator'), await world.newMember('stranger')];
  const { client } = administrator;
  const { data: indicator } = await client.call(createIndicator, {
    body: { name: 'Trend Pulse', ...fields },
  });
  const { data: access } = await client.call(grantIndicatorAccess, {
    params: { id: indicator.id },
    body: { userId: member.id, chartingUsername: handle ?? `ada_${member.id}` },
  });
  return { member, params: { id: indicator.id, accessId: access.id } };
}

const asAdministrator = async (world: World) => ({ params: (await granted(world)).params });

/** A member whom the backoffice knows. */
async function customer(world: World): Promise<{ member: Actor; customerId: string }> {
  const member = await world.newMember('stranger');
  const customerId = `C-${member.id}`;
  const administrator = await world.one('administrator');
  await administrator.client.call(updateUser, { params: { userId: member.id }, body: { customerId } });
  return { member, customerId };
}

async function asking(world: World) {
  const actor = await world.newMember('stranger');
  const administrator = await world.one('administrator');
  const { data: product } = await administrator.client.call(createProduct, {
    body: { name: 'Gold', productType: 'misc' },
  });
  return { actor, body: { productId: product.id, fullName: 'Ada Lovelace', email: actor.email } };
}

async function accessRequest(world: World): Promise<string> {
  const { actor, body } = await asking(world);
  return (await actor.client.call(submitAccessRequest, { body })).data.id;
}

export const INDICATOR_RECIPES: Recipes = {
  grantIndicatorAccess: async (world) => {
    const { member, params } = await granted(world);
    return { params, body: { userId: member.id, chartingUsername: 'ada_trades' } };
  },
  listIndicatorAccess: asAdministrator,
  revokeIndicatorAccess: asAdministrator,
  retryIndicatorAccess: asAdministrator,
  retryAllIndicatorAccess: async (world) => ({ body: { ids: [(await granted(world)).params.accessId] } }),
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
  deleteIndicator: async (world) => {
    const administrator = await world.one('administrator');
    const { data } = await administrator.client.call(createIndicator, { body: { name: 'Old' } });
    return { params: { id: data.id } };
  },
  receiveIndicatorAccess: async (world) => {
    const { customerId } = await customer(world);
    return { body: { customer_id: customerId, action: 'grant', charting_username: `u_${customerId}` } };
  },
  receiveActivityStatus: async (world) => ({
    body: { userId: (await customer(world)).member.id, status: 'cancelled' },
  }),
  updateProduct: async (world) => ({
    params: { id: (await asking(world)).body.productId },
    body: { name: 'Silver' },
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
  decideAccessRequest: async (world) => ({
    params: { id: await accessRequest(world) },
    body: { status: 'approved' },
  }),
  decideAccessRequests: async (world) => ({
    body: { ids: [await accessRequest(world)], status: 'approved' },
  }),
};
