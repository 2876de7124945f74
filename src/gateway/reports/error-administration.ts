import { Type } from 'typebox';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import { DaySeriesShape, daySeries } from '../../kernel/operations/series.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { ErrorFilter, ErrorSummary } from './error-reports.model.ts';
import { ErrorSummaryShape } from './error-reports.operations.ts';
import type { ErrorReports } from './error-reports.ts';

/** Number of failures that the overview of a user shows. */
const SHOWN_ERRORS = 10;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
/** A request id, which clients may choose themselves. */
const WORD = /^[\x21-\x7e]{8,100}$/;

/** What administrators find and see of failures, for the hub of such contributions. */
export const errorAdministration = (
  reports: Pick<ErrorReports, 'find' | 'pageOf' | 'countSince'>,
  clock: Clock,
) => ({
  lookUps: [
    {
      type: 'error',
      find: async ({ text, lowerCase }: { text: string; lowerCase: string }, limit: number) => {
        const found = UUID.test(lowerCase) ? await reports.find(lowerCase) : undefined;
        if (found) return [recordOf(found)];
        const filter = filterFor(text, lowerCase);
        const page = filter && (await reports.pageOf(filter, { page: 1, limit }));
        return (page?.items ?? []).map(recordOf);
      },
    },
  ],
  overview: [
    {
      name: 'errors',
      shape: DaySeriesShape,
      read: () => daySeries(clock.date(), reports.countSince),
    },
  ],
  userOverview: [
    {
      name: 'lastErrors',
      shape: Type.Array(ErrorSummaryShape, { description: `At most ${SHOWN_ERRORS}, newest first` }),
      read: async (userId: ObjectId) =>
        (await reports.pageOf({ userId }, { page: 1, limit: SHOWN_ERRORS }))?.items ?? [],
    },
  ],
});

function filterFor(text: string, lowerCase: string): ErrorFilter | undefined {
  if (TRACE_ID.test(lowerCase)) return { traceId: lowerCase };
  // Object identifiers name records, and text with spaces nothing here.
  return WORD.test(text) && !OBJECT_ID.test(lowerCase) ? { requestId: text } : undefined;
}

const recordOf = ({ errorId, operation, errorCode, errorMessage, user }: ErrorSummary) => ({
  id: errorId,
  title: `${errorCode} of ${operation}: ${errorMessage}`,
  userId: user?.userId ?? null,
  match: 'id' as const,
});
