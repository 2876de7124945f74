import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { administrator, member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import { educator, notEducator, usernameTaken } from '../identity/contract.ts';
import { type Media, PublicUploadTicket, UploadInBody } from '../media/contract.ts';
import { educatorOnly } from './access.ts';
import { educatorNotFound } from './contract.ts';
import { bioTooLong, noProfileFields } from './failures.ts';
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
  media: Pick<Media, 'requestPublicUpload'>;
}

export const profileOperations = ({ profiles, media }: ProfileOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators',
    id: 'listEducators',
    tag,
    summary: 'Educators, newest first, or those who match a search',
    description:
      'A search looks at names and usernames and forgives typing mistakes and missing accents; the best match comes first.',
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
    summary: 'Featured educators, the newest among them first',
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
    summary: 'One educator',
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
    summary: 'Change what is given of your profile',
    description:
      'The educator, or an administrator. `socials` and `skills` are replaced whole; null takes a picture away. A picture that was uploaded here must be the own one.',
    access: educator,
    params,
    body: ProfileInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(EducatorShape, { message: 'Profile updated' }),
    failures: [...failures, insufficientPermissions, noProfileFields, bioTooLong],
    load: ({ params, caller }) => profiles.managed(params.educatorId, caller),
    handle: ({ loaded, body, caller, facts }) => profiles.update(loaded, body, caller, facts),
  }),
  operation({
    method: 'PUT',
    path: '/v1/admin/educators/:educatorId',
    id: 'markEducator',
    tag,
    summary: 'Verify, feature, or rename an educator, or give a badge of rank',
    access: administrator,
    params,
    body: MarksInBody,
    success: ok(EducatorShape, { message: 'Educator updated' }),
    failures: [...failures, usernameTaken],
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, body, caller, facts }) => profiles.mark(loaded, body, caller, facts),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/uploads/presign',
    id: 'presignEducatorUpload',
    tag,
    summary: 'Upload a picture, or media of a story',
    description:
      'Upload the file by the answered link, then save its `publicUrl` in the profile, an announcement or a story. Images up to 10 MiB, `video/mp4` up to 200 MiB for stories.',
    access: educatorOnly,
    params,
    body: UploadInBody,
    success: created(PublicUploadTicket),
    failures: [...failures, insufficientPermissions],
    load: ({ params, caller }) => profiles.own(params.educatorId, caller),
    handle: ({ loaded, body }) => {
      const purpose = body.contentType.startsWith('video/') ? 'story' : 'image';
      return media.requestPublicUpload(purpose, loaded.id, body);
    },
  }),
];
