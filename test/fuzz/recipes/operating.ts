import { listLiveConnections } from '../../../sdk/src/index.ts';
import { LiveClient } from '../../support/live.ts';
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

export const OPERATING_RECIPES: Recipes = {
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
  runJobQueue: async () => ({ params: { queue: QUEUE } }),
};
