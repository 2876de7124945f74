import { Type } from 'typebox';
import { storageNotConfigured } from '../../../external/storage/port.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { educator, notEducator, tooManyProfileChanges, usernameTaken } from '../../identity/contract.ts';
import {
  MAX_CLIP_MIB,
  MAX_IMAGE_MIB,
  type Media,
  PublicUploadTicket,
  StoryUploadBody,
  uploadQuotaExceeded,
} from '../../media/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { educatorOnly } from './access.ts';
import { bioTooLong, noProfileFields, refusedProfile } from './profiles.model.ts';
import {
  EducatorShape,
  ListEducatorsQuery,
  ListFeaturedEducatorsQuery,
  MarksInBody,
  ProfileInBody,
} from './profiles.schemas.ts';
import type { ProfileRules } from './profiles.ts';

const tag = 'Educators';
const params = Type.Object({ educatorId: pathId('educator') });
const failures = [educatorNotFound, notEducator];

interface ProfileOperationDeps {
  profiles: ProfileRules;
  media: Pick<Media, 'requestPublicUpload' | 'uploadFaults'>;
}

export const profileOperations = ({ profiles, media }: ProfileOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators',
    id: 'listEducators',
    tag,
    summary: 'List or search educators',
    description:
      'Without a search, the newest educators come first. A search covers names and usernames, tolerates typing mistakes and missing accents, and returns the best match first.',
    access: member,
    query: ListEducatorsQuery,
    success: pageOf(EducatorShape),
    handle: ({ query: { page, limit, ...filter }, caller }) =>
      profiles.pageOf(filter, { page, limit }, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/featured',
    id: 'listFeaturedEducators',
    tag,
    summary: 'List featured educators, most recently featured first',
    access: member,
    query: ListFeaturedEducatorsQuery,
    success: ok(Type.Array(EducatorShape)),
    handle: async ({ query: { limit }, caller }) =>
      (await profiles.pageOf({ featured: true }, { page: 1, limit }, caller)).items,
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId',
    id: 'getEducator',
    tag,
    summary: 'Retrieve an educator',
    access: member,
    params,
    success: ok(EducatorShape),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, caller }) => profiles.viewFor(loaded, caller),
  }),
  operation({
    method: 'PATCH',
    path: '/v1/educators/:educatorId/profile',
    id: 'updateEducatorProfile',
    tag,
    summary: 'Update an educator profile',
    description:
      'Requires the educator or an administrator, who gives a `reason`. Fields that are left out keep their values; `socials` and `skills` are replaced as a whole, and null removes a picture. A picture uploaded to the platform must be an upload of the educator.',
    access: educator,
    isAlsoForStaff: true,
    params,
    body: ProfileInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    refuseBody: refusedProfile,
    success: ok(EducatorShape, { message: 'Profile updated' }),
    failures: [
      ...failures,
      insufficientPermissions,
      noProfileFields,
      bioTooLong,
      changedMeanwhile,
      () => tooManyProfileChanges(60),
    ],
    load: ({ params, caller }) => profiles.managed(params.educatorId, caller),
    handle: ({ loaded, body, caller, facts }) => profiles.update(loaded, body, caller, facts),
  }),
  operation({
    method: 'PUT',
    path: '/v1/admin/educators/:educatorId',
    id: 'markEducator',
    tag,
    summary: 'Verify, feature or rename an educator, or set their rank badge',
    access: administrator,
    params,
    body: MarksInBody,
    success: ok(EducatorShape, { message: 'Educator updated' }),
    failures: [...failures, usernameTaken, changedMeanwhile, () => tooManyProfileChanges(60)],
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, body, caller, facts }) => profiles.mark(loaded, body, caller, facts),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/uploads/presign',
    id: 'presignEducatorUpload',
    tag,
    summary: 'Create an upload for a picture or for story media',
    description: `Upload the file to the returned link, then save its \`publicUrl\` in the profile, an announcement or a story. Images can have up to ${MAX_IMAGE_MIB} MiB; \`video/mp4\` files for stories up to ${MAX_CLIP_MIB} MiB. A file that is saved nowhere is removed after a day.`,
    access: educatorOnly,
    params,
    body: StoryUploadBody,
    success: created(PublicUploadTicket),
    failures: [...failures, insufficientPermissions, uploadQuotaExceeded, storageNotConfigured],
    load: ({ params, caller }) => profiles.own(params.educatorId, caller),
    faults: ({ body }) => media.uploadFaults('story', body),
    handle: ({ loaded, body }) => {
      const purpose = body.contentType.startsWith('video/') ? 'story' : 'image';
      return media.requestPublicUpload(purpose, loaded.id, body);
    },
  }),
];
