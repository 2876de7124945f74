import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { PlatformAccess } from './platforms.schemas.ts';
import { platformAccess } from './sku-access.ts';

export const platformOperations: Operation[] = [
  operation({
    method: 'GET',
    path: '/v1/admin/platforms',
    id: 'listPlatforms',
    tag: 'User administration',
    summary: 'List which purchases open which platform',
    access: administrator,
    success: ok(Type.Array(PlatformAccess)),
    handle: async () =>
      platformAccess().map(({ platform, skus }) => ({
        platform,
        skus: skus.map(({ sku, days }) => ({ sku, name: sku, days })),
      })),
  }),
];
