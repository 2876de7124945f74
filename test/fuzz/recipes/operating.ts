import {
  createWalletAsAdmin,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listLiveConnections,
  listWebhookDeliveries,
  listWebhookEndpoints,
  testWebhookEndpoint,
} from '../../../sdk/src/index.ts';
import { LiveClient, until } from '../../support/live.ts';
import type { World } from '../world.ts';
import type { Recipes } from './steps.ts';

/** A queue whose jobs do no harm when they run again. */
const QUEUE = 'merchant.reconcile';

/** A job that failed all its attempts. */
async function deadJob({ platform }: World): Promise<string> {
  const [row] = await platform.database.all<{ id: string }>(
    `insert into jobs.job (name, data, policy, retry_limit) values ($1, '{}', 'standard', 0) returning id`,
    [`${QUEUE}.dead`],
  );
  return row?.id ?? '';
}

const onDeadJob = async (world: World) => ({ params: { queue: QUEUE, id: await deadJob(world) } });

/** What makes an endpoint for which there is room; there are at most twenty. */
async function newEndpoint(world: World) {
  const { client } = await world.one('administrator');
  const { data: others } = await client.call(listWebhookEndpoints);
  for (const { id } of others.slice(10)) await client.attempt(deleteWebhookEndpoint, { params: { id } });
  return { body: { url: `${world.platform.sandboxUrl}/webhooks`, events: ['*'] } };
}

/** A delivery to an endpoint of its own. */
async function webhookDelivery(world: World) {
  const { client } = await world.one('administrator');
  const { body } = await newEndpoint(world);
  const { id } = (await client.call(createWebhookEndpoint, { body })).data;
  await client.call(testWebhookEndpoint, { params: { id } });
  const deliveries = async () => (await client.call(listWebhookDeliveries, { params: { id } })).data;
  await until(async () => (await deliveries()).length > 0, 'a delivery');
  return { params: { id, deliveryId: (await deliveries())[0]?.id ?? '' } };
}

/** An endpoint of its own, to which something was delivered. */
const webhookEndpoint = async (world: World) => {
  const { id } = (await webhookDelivery(world)).params;
  return { params: { id } };
};

export const OPERATING_RECIPES: Recipes = {
  createWebhookEndpoint: newEndpoint,
  createWalletAsAdmin: async (world) => ({ body: { userId: (await world.newMember('stranger')).id } }),
  changeWallet: async (world) => {
    const params = { userId: (await world.newMember('stranger')).id };
    const { client } = await world.one('administrator');
    await client.call(createWalletAsAdmin, { body: params });
    return { params, body: { locked: true, lockedReason: 'Fraud' } };
  },
  setExchangeRate: async () => ({ body: { rate: 1, currency: 'EUR', notes: 'As ever' } }),
  listDeadJobs: async () => ({ params: { queue: QUEUE } }),
  retryDeadJob: onDeadJob,
  deleteDeadJob: onDeadJob,
  retryDeadJobs: async (world) => ({ params: { queue: QUEUE }, body: { ids: [await deadJob(world)] } }),
  closeLiveConnection: async (world) => {
    const member = await world.newMember('stranger');
    await LiveClient.open(world.platform.url, member.accessToken);
    const administrator = await world.one('administrator');
    const { data } = await administrator.client.call(listLiveConnections, { query: { userId: member.id } });
    return { params: { id: data[0]?.id ?? '' } };
  },
  getWebhookDelivery: webhookDelivery,
  getWebhookEndpoint: webhookEndpoint,
  // Changes of operators that surely change something, which is recorded.
  updateWebhookEndpoint: async (world) => ({
    ...(await webhookEndpoint(world)),
    body: { description: 'Changed' },
  }),
  updateIndicator: async () => ({ body: { description: `Changed ${Math.random()}` } }),
  markEducator: async (world) => ({
    params: { educatorId: (await world.one('educator')).id },
    body: { isVerified: true },
  }),
  rotateWebhookSecret: webhookEndpoint,
  testWebhookEndpoint: webhookEndpoint,
  deleteWebhookEndpoint: webhookEndpoint,
  listWebhookDeliveries: webhookEndpoint,
  replayWebhooks: webhookEndpoint,
  runJobQueue: async () => ({ params: { queue: QUEUE } }),
};
