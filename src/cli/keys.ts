import type { Platform } from '../app/platform.ts';
import { KEY_NAME, MAX_KEY_NAME } from '../gateway/keys/api-keys.model.ts';
import { TIERS, type Tier } from '../gateway/limits/tiers.model.ts';
import { OBJECT_ID } from '../kernel/ids.ts';
import { isVisible } from '../kernel/text/visible.ts';
import { UsageFault } from './usage.ts';

// `keys create`, `keys list` and `keys revoke`: the operations of /v1/admin/api-keys from a shell. Options are checked
// before a platform is created.
const CLI = { actor: 'service:cli' };

type KeysCommand = (options: Record<string, string | undefined>) => (platform: Platform) => Promise<void>;

const print = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export const createKey: KeysCommand = ({ name = '', tier }) => {
  if (!isVisible(name) || name.length > MAX_KEY_NAME || !new RegExp(KEY_NAME).test(name))
    throw new UsageFault(`--name has 1 to ${MAX_KEY_NAME} characters on one line`);
  if (!TIERS.includes(tier as Tier)) throw new UsageFault(`--tier is one of ${TIERS.join(', ')}`);
  return async ({ keys }) => print(await keys.create({ name: name.trim(), tier: tier as Tier }, CLI));
};

export const listKeys: KeysCommand =
  () =>
  async ({ keys }) =>
    print((await keys.list({ page: 1, limit: 1000 })).items);

export const revokeKey: KeysCommand = ({ id = '' }) => {
  if (!OBJECT_ID.test(id)) throw new UsageFault('--id has 24 hexadecimal characters');
  return async ({ keys }) => print(await keys.revoke(id, CLI));
};
