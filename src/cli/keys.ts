import type { Platform } from '../app/platform.ts';
import { TIERS, type Tier } from '../gateway/limits/tiers.model.ts';
import { OBJECT_ID } from '../kernel/ids.ts';
import { UsageFault } from './usage.ts';

const CLI = { actor: 'service:cli' };

/** `keys create`, `keys list` and `keys revoke`: the operations of /v1/admin/api-keys from a shell. */
export function keysCommand(command: string, options: { name?: string; tier?: string; id?: string }) {
  return async ({ keys }: Platform): Promise<void> => {
    if (command === 'keys create') {
      const { name, tier } = options;
      if (!name || !TIERS.includes(tier as Tier))
        throw new UsageFault(`--name and --tier (${TIERS.join(', ')}) are required`);
      console.log(JSON.stringify(await keys.create({ name, tier: tier as Tier }, CLI), null, 2));
    } else if (command === 'keys revoke') {
      if (!OBJECT_ID.test(options.id ?? ''))
        throw new UsageFault('--id is required: 24 hexadecimal characters');
      console.log(JSON.stringify(await keys.revoke(options.id as string, CLI), null, 2));
    } else {
      console.log(JSON.stringify((await keys.list({ page: 1, limit: 1000 })).items, null, 2));
    }
  };
}
