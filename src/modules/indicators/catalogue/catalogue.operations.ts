import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { indicatorNotFound } from '../contract.ts';
import {
  Indicator,
  IndicatorChangesInBody,
  IndicatorInBody,
  ListIndicatorsQuery,
} from './catalogue.schemas.ts';
import {
  type CatalogueRules,
  catalogueFull,
  indicatorInUse,
  MAX_INDICATORS,
  pineIdTaken,
} from './catalogue.ts';

const tag = 'Indicators';
const params = Type.Object({ id: pathId('indicator') });

export const catalogueOperations = (catalogue: CatalogueRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/streams/scanners',
    id: 'listIndicators',
    tag,
    summary: 'List indicators in catalogue order',
    description: `Returns all indicators, at most ${MAX_INDICATORS}, in a single list. Administrators can include retired ones.`,
    access: member,
    query: ListIndicatorsQuery,
    success: ok(Type.Array(Indicator)),
    handle: ({ query, caller }) => catalogue.list(query.includeInactive ?? false, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/streams/scanners/:id',
    id: 'getIndicator',
    tag,
    summary: 'Retrieve an indicator',
    description: 'Retired indicators are visible only to administrators and to members who hold them.',
    access: member,
    params,
    success: ok(Indicator),
    failures: [indicatorNotFound],
    handle: ({ params, caller }) => catalogue.visible(params.id, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/streams/scanners',
    id: 'createIndicator',
    tag,
    summary: 'Add an indicator to the catalogue',
    access: administrator,
    idempotent: true,
    body: IndicatorInBody,
    success: created(Indicator, { message: 'Indicator created' }),
    failures: [pineIdTaken, catalogueFull],
    handle: ({ body, caller, facts, idempotency }) =>
      catalogue.create(body, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'PUT',
    path: '/v1/streams/scanners/:id',
    id: 'updateIndicator',
    tag,
    summary: 'Update an indicator',
    description:
      'Fields that are left out keep their values. Deactivating an indicator revokes no grants. If `pineId` changes, all holders are granted the new script and lose the old one.',
    access: administrator,
    params,
    body: IndicatorChangesInBody,
    success: ok(Indicator, { message: 'Indicator updated' }),
    failures: [indicatorNotFound, pineIdTaken, changedMeanwhile],
    load: ({ params }) => catalogue.existing(params.id),
    handle: ({ loaded, body, caller, facts }) => catalogue.update(loaded.id, body, actorOf(caller, facts)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/streams/scanners/:id',
    id: 'deleteIndicator',
    tag,
    summary: 'Delete an indicator that nobody holds',
    description:
      'An indicator that is held by members or referenced by products cannot be deleted (400, with both counts).',
    access: administrator,
    params,
    success: ok(DeletedRecord, { message: 'Indicator deleted' }),
    failures: [indicatorNotFound, indicatorInUse],
    handle: async ({ params, caller, facts }) => {
      await catalogue.delete(params.id, actorOf(caller, facts));
      return { id: params.id };
    },
  }),
];
