import { Type } from 'typebox';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { userDeleted } from '../identity/contract.ts';
import type { CertificateRules } from './certificates/certificates.ts';
import { eraseActivity } from './erasure.store.ts';

interface ErasureDeps extends Pick<Core, 'database' | 'jobs'> {
  certificates: Pick<CertificateRules, 'eraseMember'>;
}

const eraseMember = jobKind('education.erase-member', {
  // As the event: former programs would erase by former rules.
  version: userDeleted.version,
  upgrades: userDeleted.upgrades,
  data: Type.Object({ userId: ObjectIdShape }),
});

/**
 * Erases what a deleted member did in courses, by a job, because attempts at quizzes are unlimited; their own courses
 * remain for the students.
 */
export function memberErasure({ database, jobs, certificates }: ErasureDeps) {
  return {
    jobs: [
      job(eraseMember, {
        concurrency: 1,
        run: async ({ userId }) => {
          await eraseActivity(database, userId);
          await database.transaction((tx) => certificates.eraseMember(tx, userId));
        },
      }),
    ],
    begin: (tx: Transaction, userId: ObjectId): Promise<void> => jobs.enqueue(tx, eraseMember, [{ userId }]),
  };
}
