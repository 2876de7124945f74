import { Type } from 'typebox';
import { anyClient, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { courseNotFound } from '../contract.ts';
import { certificateNotFound, courseNotCompleted, notEnrolled } from '../failures.ts';
import { CertificateShape, ListOwnCertificatesQuery } from './certificates.schemas.ts';
import type { CertificateRules } from './certificates.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });

export const certificateOperations = (certificates: CertificateRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/certificate',
    id: 'getCourseCertificate',
    tag,
    summary: 'Retrieve your certificate of a course',
    description:
      'The certificate is issued when the course is completed: once every published lesson is completed and every quiz passed. It does not change afterwards, and stays yours when you leave the course, and when the course is archived or taken back to draft.',
    access: member,
    params,
    success: ok(CertificateShape),
    failures: [courseNotFound, notEnrolled, courseNotCompleted],
    handle: ({ params, caller }) => certificates.ofCourse(params.courseId, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/certificates',
    id: 'listOwnCertificates',
    tag,
    summary: 'List your certificates, newest completion first',
    description:
      'Those of all courses that you have ever completed, also of those that you have left and of those that are no longer open.',
    access: member,
    query: ListOwnCertificatesQuery,
    success: pageOf(CertificateShape),
    handle: ({ query, caller }) => certificates.pageOf(caller.userId, momentPageOf(query)),
  }),
  operation({
    method: 'GET',
    path: '/v1/certificates/:certificateId',
    id: 'verifyCertificate',
    tag,
    summary: 'Verify a certificate',
    access: anyClient,
    params: Type.Object({ certificateId: pathId('certificate') }),
    success: ok(CertificateShape),
    failures: [certificateNotFound],
    handle: ({ params }) => certificates.find(params.certificateId),
  }),
];
