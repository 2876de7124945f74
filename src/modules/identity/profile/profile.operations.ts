import { storageNotConfigured } from '../../../external/storage/port.ts';
import { member } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import {
  ImageUploadBody,
  MAX_IMAGE_MIB,
  type Media,
  PublicUploadTicket,
  uploadQuotaExceeded,
} from '../../media/contract.ts';
import type { Module } from '../../module.ts';
import { tooManyProfileChanges, userNotFound, usernameTaken } from '../contract.ts';
import { OwnProfile } from '../identity.schemas.ts';
import { ProfileChangesBody } from './profile.schemas.ts';
import { type ProfileDeps, profileRules, tooManyUsernameChanges, USERNAME_CHANGES } from './profile.ts';

const tag = 'Users';

interface Deps extends Omit<ProfileDeps, 'mutedAmong'> {
  media: ProfileDeps['media'] & Pick<Media, 'requestPublicUpload' | 'uploadFaults'>;
}

/** Returns the operations on one's own profile, which says whether a module has muted the member. */
export function profileOperations(deps: Deps, modules: readonly Module[]): Operation[] {
  const { media } = deps;
  const mutedAmong = modules.flatMap((module) => module.mutedAmong ?? [])[0] ?? (async () => new Map());
  const profile = profileRules({ ...deps, mutedAmong });
  return [
    operation({
      method: 'GET',
      path: '/v1/user/profile',
      id: 'getProfile',
      tag,
      summary: 'Retrieve your profile',
      access: member,
      success: ok(OwnProfile),
      failures: [userNotFound],
      handle: ({ caller }) => profile.get(caller),
    }),
    operation({
      method: 'PATCH',
      path: '/v1/user/profile',
      id: 'updateProfile',
      tag,
      summary: 'Change your profile',
      description: `Fields that are left out keep their values; null clears \`bio\`, \`avatar\`, \`timeZone\` and \`locale\`. You can change your username at most ${USERNAME_CHANGES.limit} times in ${USERNAME_CHANGES.days} days. A picture uploaded to the platform must be your own upload.`,
      access: member,
      body: ProfileChangesBody,
      success: ok(OwnProfile, { message: 'Profile updated' }),
      failures: [
        userNotFound,
        usernameTaken,
        () => tooManyUsernameChanges(3_600),
        () => tooManyProfileChanges(60),
      ],
      handle: ({ body, caller, facts }) => profile.update(caller, body, facts),
    }),
    operation({
      method: 'POST',
      path: '/v1/user/uploads/presign',
      id: 'presignProfilePicture',
      tag,
      summary: 'Create an upload for your picture',
      description: `Upload the image, of at most ${MAX_IMAGE_MIB} MiB, to the returned link, then save its \`publicUrl\` as the \`avatar\` of your profile. A file that is saved nowhere is removed after a day.`,
      access: member,
      body: ImageUploadBody,
      success: ok(PublicUploadTicket),
      failures: [uploadQuotaExceeded, storageNotConfigured],
      faults: ({ body }) => media.uploadFaults('image', body),
      handle: ({ body, caller }) => media.requestPublicUpload('image', caller.userId, body),
    }),
  ];
}
