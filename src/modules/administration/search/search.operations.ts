import { administrator } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { foundRecordsShape, SearchRecordsQuery } from './search.schemas.ts';
import type { RecordSearch } from './search.ts';

/** Searches records of these types. */
export const recordSearchOperations = (search: RecordSearch, types: string[]): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/search',
    id: 'searchRecords',
    tag: 'Administration',
    summary: 'Find any record by an identifier or a name',
    description:
      'Identifiers come first, then whole names and addresses, then names that begin with the text. Letter case is ignored in names.',
    access: administrator,
    query: SearchRecordsQuery,
    success: ok(foundRecordsShape(types)),
    handle: ({ query }) => search.find(query.q),
  }),
];
