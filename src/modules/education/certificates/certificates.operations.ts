import { Type } from 'typebox';
import { anyClient, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { certificateNotFound, courseNotCompleted, notEnrolled } from '../failures.ts';
import { CertificateShape, ListOwnCertificatesQuery } from './certificates.schemas.ts';
import type { CertificateRules } from './certificates.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });

interface Deps {
  courses: CourseRules;
  certificates: CertificateRules;
}

export const certificateOperations = ({ courses, certificates }: Deps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/certificate',
    id: 'getCourseCertificate',
    tag,
    summary: 'Retrieve your certificate of a course',
    description:
      'The certificate is issued once every published lesson is completed and every quiz passed. It does not change afterwards.',
    access: member,
    params,
    success: ok(CertificateShape),
    failures: [courseNotFound, notEnrolled, courseNotCompleted],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, caller }) => certificates.ofCourse(course, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/certificates',
    id: 'listOwnCertificates',
    tag,
    summary: 'List your certificates, newest completion first',
    description:
      'Those of all courses that you have completed and are enrolled in, and of others for which one was issued before you left. Certificates that you have not retrieved yet are issued by the first page.',
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
