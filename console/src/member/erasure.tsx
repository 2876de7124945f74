import { Failed, Note } from '../parts/note.tsx';
import { Loading } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { count, words } from '../text.ts';

type Counted = { name: string; count: number | null };

const inWords = (records: Counted[]): string =>
  records
    .filter(({ count: number }) => number !== 0)
    .map(({ name, count: number }) => (number === null ? words(name) : `${words(name)} (${count(number)})`))
    .join(', ') || 'nothing';

/** What the platform would erase and what it would keep if the member were deleted. */
export function ErasurePlan({ id }: { id: string }) {
  const { data, error } = useQuery(`erasure ${id}`, (by, signal) =>
    by.users.delete(id, {}, { dryRun: true }, { signal }),
  );
  if (error !== undefined) return <Failed what="What would go could not be read" error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      {data.blockedBy && (
        <Note tone="warn">
          <strong>It would be refused now:</strong> {data.blockedBy.message}
        </Note>
      )}
      <p>
        <strong>Goes:</strong> {inWords(data.erased)}.
      </p>
      <p>
        <strong>Stays without a name:</strong> {inWords(data.kept)}.
      </p>
    </>
  );
}
