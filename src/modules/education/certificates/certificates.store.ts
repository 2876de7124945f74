import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Certificate, Earned } from './certificates.model.ts';

const COLUMNS = `id as "certificateId", course_id as "courseId", user_id as "userId", name,
  course_title as "courseTitle", completed_at as "completedAt"`;

const findAll = statement<Certificate & { issuedAt: Date }>(
  'education.find-certificates',
  `select ${COLUMNS}, issued_at from education.certificate where id = any($1)`,
);

/** The key share of the enrolment keeps an erasure of the member waiting, which then finds the certificate. */
const keepEarned = statement<Earned>(
  'education.keep-earned-certificates',
  `select c.id as "courseId", c.title as "courseTitle", e.completed_at as "completedAt"
   from education.enrolment e join education.course c on c.id = e.course_id
   where e.user_id = $1 and ($2::text is null or e.course_id = $2) and e.completed_at is not null
     and not exists (select from education.certificate k where k.course_id = c.id and k.user_id = $1)
   order by e.completed_at limit $3 for key share of e`,
);

/** SQL of certificates. */
export function certificateStore(database: Database) {
  return {
    ofMember: (courseId: ObjectId, userId: ObjectId): Promise<Certificate | undefined> =>
      database.first(`select ${COLUMNS} from education.certificate where course_id = $1 and user_id = $2`, [
        courseId,
        userId,
      ]),
    /** Returns a member's certificates, newest completion first; served by certificate_by_member. */
    pageOf: (userId: ObjectId, request: PageRequest): Promise<Page<Certificate>> =>
      readPage(
        database,
        {
          columns: COLUMNS,
          from: 'education.certificate where user_id = $1',
          orderBy: 'completed_at desc, id desc',
          moment: 'completed_at, id',
        },
        [userId],
        request,
      ),
    /**
     * Returns courses that a member has completed without a certificate, also those that they have left and those that are
     * hidden now; keeps their enrolments until the transaction ends. Served by enrolment_to_erase.
     */
    keepEarned: (
      tx: Transaction,
      { userId, courseId, limit }: { userId: ObjectId; courseId: ObjectId | undefined; limit: number },
    ): Promise<Earned[]> => tx.all(keepEarned, [userId, courseId ?? null, limit]),
    findAll: (ids: ObjectId[], queries: Queries) => queries.all(findAll, [ids]),
    idsAfter: async (id: ObjectId, limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          'select id from education.certificate where id > $1 order by id limit $2',
          [id, limit],
        )
      ).map((row) => row.id),
    find: (id: ObjectId): Promise<Certificate | undefined> =>
      database.first(`select ${COLUMNS} from education.certificate where id = $1`, [id]),
    /** Inserts a certificate; returns false if one was issued concurrently. */
    async insert(tx: Transaction, certificate: Certificate, issuedAt: Date): Promise<boolean> {
      const { certificateId: id, courseId, userId, name, courseTitle, completedAt } = certificate;
      const inserted = await tx.insert(
        'education.certificate',
        { id, courseId, userId, name, courseTitle, completedAt, issuedAt },
        ['id', 'courseId', 'userId', 'name', 'courseTitle', 'completedAt', 'issuedAt'],
        'on conflict (course_id, user_id) do nothing',
      );
      return inserted > 0;
    },
    /** Deletes a member's certificates and returns their ids. */
    deleteOf: async (tx: Transaction, userId: ObjectId): Promise<ObjectId[]> =>
      (
        await tx.all<{ id: ObjectId }>('delete from education.certificate where user_id = $1 returning id', [
          userId,
        ])
      ).map((row) => row.id),
  };
}

export type CertificateStore = ReturnType<typeof certificateStore>;
