import { administrator } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import type { OverviewPart, Worklist } from '../contract.ts';
import { overviewShape } from './overview.schemas.ts';
import type { OverviewRules } from './overview.ts';

export const overviewOperations = (
  overview: OverviewRules,
  worklists: Worklist[],
  parts: OverviewPart[],
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/overview',
    id: 'getOverview',
    tag: 'Administration',
    summary: 'See what waits for a person, and how the platform is doing',
    access: administrator,
    success: ok(overviewShape(worklists, parts)),
    handle: () => overview.read(),
  }),
];
