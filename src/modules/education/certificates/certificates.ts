import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Identity } from '../../identity/contract.ts';
import type { Course } from '../courses/courses.model.ts';
import { certificateNotFound, courseNotCompleted } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Certificate } from './certificates.model.ts';
import type { CertificateStore } from './certificates.store.ts';

export type CertificateView = Certificate & { verifyUrl: string };

interface CertificateDeps {
  store: CertificateStore;
  progress: Pick<ProgressRules, 'completedAt'>;
  identity: Pick<Identity, 'profilesOf'>;
  clock: Clock;
  /** Must make unguessable ids: anyone who knows one may read the certificate. */
  newId: NewId;
  publicUrl: () => string;
}

/** Certificates of completed courses. Once issued they do not change, even if the course or the name does. */
export function certificateRules({ store, progress, identity, clock, newId, publicUrl }: CertificateDeps) {
  const viewOf = (certificate: Certificate): CertificateView => ({
    ...certificate,
    verifyUrl: `${publicUrl()}/certificates/${certificate.certificateId}`,
  });

  return {
    /** Returns the caller's certificate; issues it on first use. @throws notEnrolled, courseNotCompleted */
    async ofCourse(course: Pick<Course, 'id' | 'title'>, userId: ObjectId): Promise<CertificateView> {
      const issued = await store.ofMember(course.id, userId);
      if (issued) return viewOf(issued);
      const completedAt = await progress.completedAt(course, userId);
      if (!completedAt) throw courseNotCompleted();
      const [profile] = await identity.profilesOf([userId]);
      const name = `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim();
      const certificate = {
        certificateId: newId(),
        courseId: course.id,
        userId,
        name,
        courseTitle: course.title,
        completedAt,
      };
      return viewOf(await store.insert(certificate, clock.date()));
    },
    /** @throws certificateNotFound */
    async find(id: ObjectId): Promise<CertificateView> {
      const certificate = await store.find(id);
      if (!certificate) throw certificateNotFound();
      return viewOf(certificate);
    },
  };
}

export type CertificateRules = ReturnType<typeof certificateRules>;
