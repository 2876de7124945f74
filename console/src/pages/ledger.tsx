import { AtOnce } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { Figures, Id } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { count, plural, relative } from '../text.ts';

/** Starts a verification of the whole ledger. */
export const ProveButton = () => (
  <AtOnce
    name="Prove the ledger now"
    failed="The ledger is not proved"
    run={async (api) => {
      await api.ledger.verify();
      return 'The ledger is being proved. The result is shown here once it is done.';
    }}
  />
);

export default function Ledger() {
  const { data, error, reload } = useQuery(
    'ledger',
    // Before the first verification, reading one would be refused.
    async (by, signal) =>
      (await by.administration.getOverview({ signal })).ledger && by.ledger.getVerification({ signal }),
    { pollMs: 5_000 },
  );
  return (
    <Page title="Money" actions={<ProveButton />}>
      {error !== undefined && <Failed what="The proof could not be read" error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading />}
      {data === null && <Note tone="info">The ledger was not proved yet. It is proved every night.</Note>}
      {data && (
        <>
          {data.sound ? (
            <Note tone="ok">
              <strong>The ledger is sound.</strong> Every invariant holds; it was proved {relative(data.at)}.
            </Note>
          ) : (
            <Note tone="bad">
              <strong>The ledger is broken.</strong>{' '}
              {plural(data.broken.length, 'invariant does', 'invariants do')} not hold.
            </Note>
          )}
          <Figures
            of={[
              { label: 'In circulation', value: count(data.inCirculation), below: 'Keys in all wallets' },
              ...(data.issued === null
                ? []
                : [{ label: 'Issued', value: count(data.issued), below: 'paid out or not' }]),
              { label: 'Transactions', value: count(data.transactions) },
              { label: 'Entries', value: count(data.entries) },
              { label: 'Proved', value: relative(data.at) },
            ]}
          />
          {data.broken.map(({ invariant, at }) => (
            <Card key={invariant} title={invariant}>
              <pre>{at.join('\n')}</pre>
            </Card>
          ))}
          <Card title="Head">
            <p>
              <Id id={data.head} />
            </p>
            <p class="dim">
              A hash over the newest hash of every account. A copy of it proves later that history was not
              rewritten.
            </p>
          </Card>
        </>
      )}
    </Page>
  );
}
