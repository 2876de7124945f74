import { Type } from 'typebox';
import { type FailureMaker, type FieldFault, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { answered } from '../../../kernel/records/idempotency.ts';
import { canonicalAddress } from '../../../kernel/text/email-address.ts';
import { spelled } from '../../../kernel/text/numbers.ts';
import { instantOf, SECOND_MS } from '../../../kernel/time/time.ts';
import { type Identity, userNotFound } from '../../identity/contract.ts';
import type { CatalogueRules } from '../catalogue/catalogue.ts';
import { HANDLE_RULE, handleOf, indicatorNotFound } from '../contract.ts';
import { CHECK_MS, type HandleRules } from '../handles/handles.ts';
import {
  AccessRow,
  GrantIndicatorAccessBody,
  ListAllIndicatorAccessQuery,
  ListIndicatorAccessFailuresQuery,
  ListIndicatorAccessQuery,
  Move,
  MyAccess,
  ResolveIndicatorAccessBody,
  RetriedAccess,
  RetryAllIndicatorAccessBody,
  SetChartingUsernameBody,
  SetChartingUsernameResult,
} from './access.schemas.ts';
import { accessNotFound } from './changing.ts';
import { type GrantRules, HANDLE_CHANGES, tooManyHandleChanges } from './grants.ts';
import { accessNotFailed, type InterventionRules, nothingToTakeOver } from './interventions.ts';
import type { Roster } from './roster.ts';

const tag = 'Indicator access';
const params = Type.Object({ id: pathId('indicator') });
const accessParams = Type.Object({ id: pathId('indicator'), accessId: pathId('access') });
const HISTORY = 200;
const notFoundFailures: FailureMaker[] = [indicatorNotFound, accessNotFound];

interface Deps {
  catalogue: CatalogueRules;
  grants: GrantRules;
  interventions: InterventionRules;
  handles: HandleRules;
  roster: Roster;
  identity: Pick<Identity, 'contactsOf' | 'contactByEmail'>;
}

/** @throws 422 for an invalid handle */
function readHandle(text: string): string {
  const handle = handleOf(text);
  if (handle === undefined) throw validationFailed(handleFaults(text));
  return handle;
}

const handleFaults = (text: string | undefined): FieldFault[] =>
  text === undefined || handleOf(text) ? [] : [{ field: 'chartingUsername', message: HANDLE_RULE }];

const memberFaults = ({ userId, email }: { userId?: string; email?: string }): FieldFault[] =>
  userId === undefined && email === undefined ? [{ field: 'userId', message: 'or email is required' }] : [];

export function accessOperations({
  catalogue,
  grants,
  interventions,
  handles,
  roster,
  identity,
}: Deps): Operation[] {
  /** @throws userNotFound, 422 when neither is given, or both and they name different members */
  async function memberOf(given: { userId?: string; email?: string }): Promise<ObjectId> {
    const { userId, email } = given;
    const faults = memberFaults(given);
    if (faults.length > 0) throw validationFailed(faults);
    const found =
      userId === undefined
        ? await identity.contactByEmail(email as string)
        : (await identity.contactsOf([userId]))[0];
    if (!found) throw userNotFound();
    if (email !== undefined && canonicalAddress(email) !== canonicalAddress(found.email))
      throw validationFailed([{ field: 'email', message: 'must be that of the member with this userId' }]);
    return found.userId;
  }

  return [
    operation({
      method: 'GET',
      path: '/v1/streams/scanners/:id/access',
      id: 'listIndicatorAccess',
      tag,
      summary: 'List the grants of an indicator, newest first',
      access: administrator,
      params,
      query: ListIndicatorAccessQuery,
      success: pageOf(AccessRow),
      failures: [indicatorNotFound],
      load: ({ params }) => catalogue.existing(params.id),
      handle: ({ loaded, query: { status, ...page } }) => roster.pageOf(loaded.id, status, page),
    }),
    operation({
      method: 'POST',
      path: '/v1/streams/scanners/:id/access',
      id: 'grantIndicatorAccess',
      tag,
      summary: 'Grant a member access to an indicator',
      description:
        'Identify the member by `userId` or `email`. The grant is `manual`: it does not end when the member becomes inactive. Its status is `pending_grant` until the charting platform has confirmed it.',
      access: administrator,
      params,
      idempotent: true,
      body: GrantIndicatorAccessBody,
      success: created(AccessRow, { message: 'Access granted' }),
      failures: [indicatorNotFound, userNotFound],
      load: ({ params }) => catalogue.existing(params.id),
      faults: ({ body }) => [...memberFaults(body), ...handleFaults(body.chartingUsername)],
      handle: async ({ loaded, body, caller, facts, idempotency }) => {
        const handle = readHandle(body.chartingUsername);
        const userId = await memberOf(body);
        const asked = { indicatorId: loaded.id, userId, handle };
        return grants.grantByHand(asked, actorOf(caller, facts), async (tx, { id }) =>
          answered(tx, { idempotency }, await roster.get(id, tx)),
        );
      },
    }),
    operation({
      method: 'DELETE',
      path: '/v1/streams/scanners/:id/access/:accessId',
      id: 'revokeIndicatorAccess',
      tag,
      summary: 'Revoke a grant immediately',
      description:
        'The status is `pending_revoke` until the charting platform has removed the grant, then `revoked`.',
      access: administrator,
      params: accessParams,
      success: ok(AccessRow, { message: 'Access revoked' }),
      failures: notFoundFailures,
      load: ({ params }) => roster.of(params.id, params.accessId),
      handle: async ({ loaded, caller, facts }) =>
        roster.after(loaded, await grants.revoke(loaded.id, actorOf(caller, facts))),
    }),
    operation({
      method: 'POST',
      path: '/v1/streams/scanners/:id/access/:accessId/retry',
      id: 'retryIndicatorAccess',
      tag,
      summary: 'Retry a failed grant or revocation',
      access: administrator,
      params: accessParams,
      success: ok(AccessRow, { message: 'Retrying' }),
      failures: [...notFoundFailures, accessNotFailed],
      load: ({ params }) => roster.of(params.id, params.accessId),
      handle: async ({ loaded, caller, facts }) =>
        roster.after(loaded, await interventions.retry(loaded.id, actorOf(caller, facts))),
    }),
    operation({
      method: 'POST',
      path: '/v1/streams/scanners/:id/access/:accessId/resolve',
      id: 'resolveIndicatorAccess',
      tag,
      summary: 'Mark a failed grant or revocation as done manually at the charting platform',
      description:
        'What a person has given this way, a person takes away: when such a grant ends, it fails once more and stays on the worklist until its removal is resolved, or until it is taken over.',
      access: administrator,
      params: accessParams,
      body: ResolveIndicatorAccessBody,
      success: ok(AccessRow, { message: 'Resolved' }),
      failures: [...notFoundFailures, accessNotFailed],
      load: ({ params }) => roster.of(params.id, params.accessId),
      handle: async ({ loaded, body, caller, facts }) =>
        roster.after(loaded, await interventions.resolve(loaded.id, body.note ?? '', actorOf(caller, facts))),
    }),
    operation({
      method: 'POST',
      path: '/v1/streams/scanners/:id/access/:accessId/take-over',
      id: 'takeOverIndicatorAccess',
      tag,
      summary: 'Take over what somebody else made at the charting platform for a grant',
      description:
        'An entry that no call of ours made stays at the charting platform when its grant ends. After this it is removed when the grant ends, and at once if the grant has ended or waits for a person to remove it.',
      access: administrator,
      params: accessParams,
      success: ok(AccessRow, { message: 'Taken over' }),
      failures: [...notFoundFailures, nothingToTakeOver],
      load: ({ params }) => roster.of(params.id, params.accessId),
      handle: async ({ loaded, caller, facts }) =>
        roster.after(loaded, await interventions.takeOver(loaded.id, actorOf(caller, facts))),
    }),
    operation({
      method: 'GET',
      path: '/v1/streams/scanners/:id/access/:accessId/history',
      id: 'getIndicatorAccessHistory',
      tag,
      summary: 'List the status changes of a grant, newest first',
      description: `Returns the ${HISTORY} most recent changes, each with its author, reason and time.`,
      access: administrator,
      params: accessParams,
      success: ok(Type.Array(Move)),
      failures: notFoundFailures,
      load: ({ params }) => roster.of(params.id, params.accessId),
      handle: ({ loaded }) => roster.historyOf(loaded.id, HISTORY),
    }),
    operation({
      method: 'GET',
      path: '/v1/streams/scanners/access-failures',
      id: 'listIndicatorAccessFailures',
      tag,
      summary: 'List failed grants of all indicators',
      access: administrator,
      query: ListIndicatorAccessFailuresQuery,
      success: pageOf(AccessRow),
      handle: ({ query }) => roster.failures(query),
    }),
    operation({
      method: 'GET',
      path: '/v1/streams/scanners/access',
      id: 'listAllIndicatorAccess',
      tag,
      summary: 'List the grants of all indicators, newest first',
      access: administrator,
      query: ListAllIndicatorAccessQuery,
      success: pageOf(AccessRow),
      handle: ({ query: { page, limit, before, olderThan, ...filter } }) =>
        roster.pageOfAll(
          { ...filter, olderThan: olderThan === undefined ? undefined : instantOf(olderThan) },
          { page, limit, before },
        ),
    }),
    operation({
      method: 'POST',
      path: '/v1/streams/scanners/access/retry',
      id: 'retryAllIndicatorAccess',
      tag,
      summary: 'Retry failed grants and revocations, with a result for each',
      description: 'One that cannot be retried leaves the others as they are.',
      access: administrator,
      body: RetryAllIndicatorAccessBody,
      success: ok(Type.Array(RetriedAccess), { message: 'Retrying' }),
      handle: ({ body, caller, facts }) => interventions.retryAll(body.ids, actorOf(caller, facts)),
    }),
    operation({
      method: 'GET',
      path: '/v1/streams/scanners/access/mine',
      id: 'listMyIndicatorAccess',
      tag,
      summary: 'List your access to indicators',
      access: member,
      success: ok(Type.Array(MyAccess)),
      handle: ({ caller }) => roster.ofMember(caller.userId),
    }),
    operation({
      method: 'PUT',
      path: '/v1/streams/scanners/charting-username',
      id: 'setChartingUsername',
      tag,
      summary: 'Save your username at the charting platform',
      description: `The username is looked up at the charting platform and saved as spelled there; 422 if it does not exist. If the platform does not respond within ${spelled(CHECK_MS / SECOND_MS)} seconds, it is saved with \`checked: false\` and looked up before access is granted. All your grants move to the new username. You can change it at most ${spelled(HANDLE_CHANGES.limit)} times a day.`,
      access: member,
      body: SetChartingUsernameBody,
      success: ok(SetChartingUsernameResult, { message: 'Charting username saved' }),
      failures: [() => tooManyHandleChanges(3_600)],
      handle: async ({ body, caller }) => {
        const given = readHandle(body.chartingUsername);
        const { handle: chartingUsername, isChecked: checked } = await handles.check(given, caller.userId);
        const moved = await grants.saveHandle(caller.userId, chartingUsername);
        return { chartingUsername, moved, checked };
      },
    }),
  ];
}
