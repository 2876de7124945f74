import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Identity } from '../../identity/contract.ts';
import { certificateChanged } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import { certificateNotFound, courseNotCompleted } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Certificate } from './certificates.model.ts';
import type { CertificateStore } from './certificates.store.ts';

export type CertificateView = Certificate & { verifyUrl: string };

interface CertificateDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: CertificateStore;
  progress: Pick<ProgressRules, 'completedAt'>;
  identity: Pick<Identity, 'profilesOf'>;
  /** Must make unguessable ids: anyone who knows one may read the certificate. */
  newId: NewId;
  publicUrl: () => string;
}

/** Certificates of completed courses. Once issued they do not change, even if the course or the name does. */
export function certificateRules(deps: CertificateDeps) {
  const { store, progress, identity, database, events, clock, newId, publicUrl } = deps;
  const viewOf = (certificate: Certificate): CertificateView => ({
    ...certificate,
    verifyUrl: `${publicUrl()}/certificates/${certificate.certificateId}`,
  });

  return {
    /** Returns the caller's certificate; issues it on first use. @throws notEnrolled, courseNotCompleted */
    async ofCourse(course: Pick<Course, 'id' | 'title'>, userId: ObjectId): Promise<CertificateView> {
      const issued = await store.ofMember(course.id, userId);
      if (issued) return viewOf(issued);
      const completedAt = await progress.completedAt(course.id, userId);
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
      await database.transaction(async (tx) => {
        if (await store.insert(tx, certificate, clock.date()))
          await events.publish(tx, certificateChanged, { certificateId: certificate.certificateId });
      });
      return viewOf((await store.ofMember(course.id, userId)) ?? certificate);
    },
    /** @throws certificateNotFound */
    async find(id: ObjectId): Promise<CertificateView> {
      const certificate = await store.find(id);
      if (!certificate) throw certificateNotFound();
      return viewOf(certificate);
    },
    /** Erases the certificates of a deleted member. */
    async eraseMember(tx: Transaction, userId: ObjectId): Promise<void> {
      const erased = await store.deleteOf(tx, userId);
      await events.publish(tx, certificateChanged, ...erased.map((certificateId) => ({ certificateId })));
    },
  };
}

export type CertificateRules = ReturnType<typeof certificateRules>;
