import type { Core } from '../../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { certificateChanged } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { certificateNotFound, courseNotCompleted } from '../failures.ts';
import type { ProgressRules } from '../progress/progress.ts';
import type { CertificateIssuing } from './certificate-issuing.ts';
import type { Certificate } from './certificates.model.ts';
import type { CertificateStore } from './certificates.store.ts';

export type CertificateView = Certificate & { verifyUrl: string };

interface CertificateDeps extends Pick<Core, 'database' | 'events'> {
  store: CertificateStore;
  issuing: CertificateIssuing;
  courses: Pick<CourseRules, 'visible'>;
  progress: Pick<ProgressRules, 'completedAt' | 'completeAllOf'>;
  publicUrl: () => string;
}

/**
 * Certificates of completed courses. Once issued they do not change, even if the course or the name does. Completing a
 * course issues its certificate. A look issues those that are missing: of courses that were completed before that rule,
 * or by a process of an older version.
 */
export function certificateRules(deps: CertificateDeps) {
  const { store, issuing, courses, progress, database, events, publicUrl } = deps;

  const viewOf = (certificate: Certificate): CertificateView => ({
    ...certificate,
    verifyUrl: `${publicUrl()}/certificates/${certificate.certificateId}`,
  });

  /** Returns a member's certificate of a course, if they have earned it. */
  async function earned(courseId: ObjectId, userId: ObjectId): Promise<Certificate | undefined> {
    const issued = await store.ofMember(courseId, userId);
    if (issued) return issued;
    await database.transaction((tx) => issuing.issueIn(tx, userId, courseId));
    return store.ofMember(courseId, userId);
  }

  return {
    /**
     * Returns the caller's certificate, also if they have left the course or may no longer see it.
     * @throws courseNotFound, notEnrolled, courseNotCompleted
     */
    async ofCourse(courseId: ObjectId, caller: UserCaller): Promise<CertificateView> {
      const { userId } = caller;
      const before = await earned(courseId, userId);
      if (before) return viewOf(before);
      await courses.visible(courseId, caller);
      const isCompleted = (await progress.completedAt(courseId, userId)) !== null;
      const now = isCompleted ? await earned(courseId, userId) : undefined;
      if (!now) throw courseNotCompleted();
      return viewOf(now);
    },

    /** Returns the caller's certificates, newest completion first. The first page issues those that are missing. */
    async pageOf(userId: ObjectId, request: PageRequest): Promise<Page<CertificateView>> {
      if (request.page === 1 && !request.after) {
        await progress.completeAllOf(userId);
        await database.transaction((tx) => issuing.issueIn(tx, userId));
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
