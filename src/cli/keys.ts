import type { Platform } from '../app/platform.ts';
import { TIERS, type Tier } from '../gateway/limits/tiers.model.ts';
import { OBJECT_ID } from '../kernel/ids.ts';
import { UsageFault } from './usage.ts';

// `keys create`, `keys list` and `keys revoke`: the operations of /v1/admin/api-keys from a shell. Options are checked
// before a platform is created.
const CLI = { actor: 'service:cli' };
const MAX_NAME = 100;

type KeysCommand = (options: Record<string, string | undefined>) => (platform: Platform) => Promise<void>;

const print = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export const createKey: KeysCommand = ({ name = '', tier }) => {
  if (name.trim() === '' || name.length > MAX_NAME)
    throw new UsageFault(`--name has 1 to ${MAX_NAME} characters`);
  if (!TIERS.includes(tier as Tier)) throw new UsageFault(`--tier is one of ${TIERS.join(', ')}`);
  return async ({ keys }) => print(await keys.create({ name, tier: tier as Tier }, CLI));
};

export const listKeys: KeysCommand =
  () =>
  async ({ keys }) =>
    print((await keys.list({ page: 1, limit: 1000 })).items);

export const revokeKey: KeysCommand = ({ id = '' }) => {
  if (!OBJECT_ID.test(id)) throw new UsageFault('--id has 24 hexadecimal characters');
  return async ({ keys }) => print(await keys.revoke(id, CLI));
};
