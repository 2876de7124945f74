import type { Database } from '../../../kernel/database/database.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Certificate } from './certificates.model.ts';

const COLUMNS = `id as "certificateId", course_id as "courseId", user_id as "userId", name,
  course_title as "courseTitle", completed_at as "completedAt"`;

/** SQL of certificates. */
export function certificateStore(database: Database) {
  const ofMember = (courseId: ObjectId, userId: ObjectId): Promise<Certificate | undefined> =>
    database.first(`select ${COLUMNS} from education.certificate where course_id = $1 and user_id = $2`, [
      courseId,
      userId,
    ]);
  return {
    ofMember,
    find: (id: ObjectId): Promise<Certificate | undefined> =>
      database.first(`select ${COLUMNS} from education.certificate where id = $1`, [id]),
    /** Issues a certificate, or returns the one issued concurrently. */
    async insert(certificate: Certificate, issuedAt: Date): Promise<Certificate> {
      const { certificateId: id, courseId, userId, name, courseTitle, completedAt } = certificate;
      await database.insert(
        'education.certificate',
        { id, courseId, userId, name, courseTitle, completedAt, issuedAt },
        ['id', 'courseId', 'userId', 'name', 'courseTitle', 'completedAt', 'issuedAt'],
        'on conflict (course_id, user_id) do nothing',
      );
      return (await ofMember(courseId, userId)) as Certificate;
    },
  };
}

export type CertificateStore = ReturnType<typeof certificateStore>;
