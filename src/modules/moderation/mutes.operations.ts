import { Type } from 'typebox';
import { actorOf } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { moderator, userNotFound } from '../identity/contract.ts';
import { MuteOut, MuteUserBody, UnmuteOut } from './moderation.schemas.ts';
import { type MuteRules, staffNotMuted } from './mutes.ts';

const tag = 'Moderation';
const path = '/v1/admin/auth/users/:userId/mute';
const params = Type.Object({ userId: pathId('user') });

export const muteOperations = (mutes: MuteRules): Operation[] => [
  operation({
    method: 'PUT',
    path,
    id: 'muteUser',
    tag,
    summary: 'Mute a member everywhere',
    description:
      'For so many minutes they can write in no room, and neither posts nor comments. A new mute replaces the former one. With `deleteMessages` their messages of the last seven days are deleted, too.',
    access: moderator,
    params,
    body: MuteUserBody,
    success: ok(MuteOut, { message: 'Muted' }),
    failures: [userNotFound, staffNotMuted, changedMeanwhile],
    handle: ({ params, body, caller, facts }) => mutes.mute(params.userId, body, actorOf(caller, facts)),
  }),
  operation({
    method: 'DELETE',
    path,
    id: 'unmuteUser',
    tag,
    summary: 'End the mute of a member',
    description: 'Mutes in single rooms remain.',
    access: moderator,
    params,
    success: ok(UnmuteOut, { message: 'Unmuted' }),
    failures: [userNotFound],
    handle: ({ params, caller, facts }) => mutes.unmute(params.userId, actorOf(caller, facts)),
  }),
];
