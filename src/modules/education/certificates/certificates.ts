import type { Core } from '../../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Identity } from '../../identity/contract.ts';
import { certificateChanged } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import { certificateNotFound, courseNotCompleted } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { Certificate, Earned } from './certificates.model.ts';
import type { CertificateStore } from './certificates.store.ts';

export type CertificateView = Certificate & { verifyUrl: string };

/** Certificates that a look at the list issues. */
const ISSUED_AT_ONCE = 100;

interface CertificateDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: CertificateStore;
  progress: Pick<ProgressRules, 'completedAt' | 'completeAllOf'>;
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

  /** Issues certificates, unless there are some already; returns what it would have issued. */
  async function issue(userId: ObjectId, earned: Earned[]): Promise<Certificate[]> {
    const [profile] = await identity.profilesOf([userId]);
    const name = `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim();
    const certificates = earned.map((one) => ({ certificateId: newId(), userId, name, ...one }));
    await database.transaction(async (tx) => {
      for (const certificate of certificates)
        if (await store.insert(tx, certificate, clock.date()))
          await events.publish(tx, certificateChanged, { certificateId: certificate.certificateId });
    });
    return certificates;
  }

  return {
    /** Returns the caller's certificate; issues it on first use. @throws notEnrolled, courseNotCompleted */
    async ofCourse(course: Pick<Course, 'id' | 'title'>, userId: ObjectId): Promise<CertificateView> {
      const issued = await store.ofMember(course.id, userId);
      if (issued) return viewOf(issued);
      const completedAt = await progress.completedAt(course.id, userId);
      if (!completedAt) throw courseNotCompleted();
      const certificate = await issue(userId, [
        { courseId: course.id, courseTitle: course.title, completedAt },
      ]);
      return viewOf((await store.ofMember(course.id, userId)) ?? only(certificate));
    },
    /**
     * Returns the caller's certificates, newest completion first. The first page issues those that nobody has asked for
     * yet: a member looks for the certificates of all courses that they have completed.
     */
    async pageOf(userId: ObjectId, request: PageRequest): Promise<Page<CertificateView>> {
      if (request.page === 1 && !request.after) {
        await progress.completeAllOf(userId);
        const earned = await store.unissued(userId, ISSUED_AT_ONCE);
        if (earned.length > 0) await issue(userId, earned);
      }
      return mapPage(await store.pageOf(userId, request), viewOf);
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
