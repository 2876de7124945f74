import { Type } from 'typebox';
import { storageNotConfigured } from '../../external/storage/port.ts';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { accepted, type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { stepUpRequired } from '../../kernel/operations/step-up.ts';
import { type Identity, userNotFound } from '../identity/contract.ts';
import { LINK_HOURS } from './exports.model.ts';
import { ExportBegun, ExportShape } from './exports.schemas.ts';
import { type ExportRules, exportNotFound, exportPending, tooManyExports } from './exports.ts';

const tag = 'Personal data';
const params = Type.Object({ userId: pathId('user') });
const TooMany = () => tooManyExports(LINK_HOURS * 3600);
const begun = accepted(ExportBegun, { message: 'The export is being made' });
const LINK = `\`url\` is a signed link to the ZIP, while the status is \`ready\`: for ${LINK_HOURS} hours. Whoever has a second factor reads it after a step-up.`;

export function exportOperations(exports: ExportRules, { exists }: Pick<Identity, 'exists'>): Operation[] {
  const load = async ({ params: { userId } }: { params: { userId: string } }) => {
    if (!(await exists(userId))) throw userNotFound();
  };
  return [
    operation({
      method: 'POST',
      path: '/v1/user/export',
      id: 'exportOwnData',
      tag,
      summary: 'Begin an export of your data',
      description:
        'A ZIP with a file of JSON lines for each area. You are told by mail when it is ready. One a day; one that failed does not count.',
      access: member,
      needsStepUp: true,
      idempotent: true,
      success: begun,
      failures: [storageNotConfigured, exportPending, TooMany],
      handle: ({ caller, idempotency }) => exports.beginOwn(caller, idempotency),
    }),
    operation({
      method: 'GET',
      path: '/v1/user/export',
      id: 'getOwnExport',
      tag,
      summary: 'See your newest export, and download it',
      description: `${LINK} Yours comes before an administrator's that has no file.`,
      access: member,
      success: ok(ExportShape),
      failures: [exportNotFound, stepUpRequired],
      handle: ({ caller }) => exports.newestOwn(caller),
    }),
    operation({
      method: 'POST',
      path: '/v1/admin/auth/users/:userId/export',
      id: 'exportDataOfUser',
      tag,
      summary: "Begin an export of a user's data",
      description: 'The member gets a mail when it is ready, and can download it, too.',
      access: administrator,
      needsStepUp: true,
      idempotent: true,
      params,
      success: begun,
      failures: [storageNotConfigured, userNotFound],
      load,
      handle: ({ params, caller, facts, idempotency }) =>
        exports.beginFor(params.userId, { caller, actor: actorOf(caller, facts), idempotency }),
    }),
    operation({
      method: 'GET',
      path: '/v1/admin/auth/users/:userId/export',
      id: 'getExportOfUser',
      tag,
      summary: "See a user's newest export, and download it",
      description: LINK,
      access: administrator,
      params,
      success: ok(ExportShape),
      failures: [userNotFound, exportNotFound, stepUpRequired],
      load,
      handle: ({ params, caller }) => exports.newestOf(params.userId, caller),
    }),
  ];
}
