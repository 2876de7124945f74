import { Card, Facts } from '../parts/card.tsx';
import { Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Person, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, nameOf, usd } from '../text.ts';
import { CHECKOUT_TONES, ReconcileButton } from './checkouts.tsx';

const above = { href: to('/checkouts'), text: 'Checkouts' };

export default function CheckoutPage({ id }: { id: string }) {
  const read = useQuery(id, (by, signal) => by.wallet.getCheckout(id, { signal }));
  const { data } = read;
  if (!data)
    return <Pending title="Checkout" above={above} beside={<Id id={id} />} what="The checkout" of={read} />;
  return (
    <Page
      title={`Checkout of ${usd(data.usd)}`}
      above={above}
      beside={
        <>
          <Tag tone={CHECKOUT_TONES[data.status]}>{data.status}</Tag> <Id id={data.checkoutSessionId} />
        </>
      }
      actions={data.status === 'open' && <ReconcileButton of={data} name="Ask the provider" />}
    >
      {data.lastError && (
        <Note tone="bad">
          <strong>The provider said:</strong> “{data.lastError}”
        </Note>
      )}
      <div class="columns">
        <div>
          <Card title="Payment">
            <Facts
              of={[
                ['Price', usd(data.usd)],
                ['Paid back', data.refundedUsd > 0 && usd(data.refundedUsd)],
                ['Keys', data.keys !== null && count(data.keys)],
                ['Purpose', data.purpose],
                ['At the provider', data.providerStatus ?? 'unknown'],
                ['Payment', data.paymentId && <Id key="payment" id={data.paymentId} />],
                [
                  'Transaction',
                  data.transactionId && (
                    <a key="transaction" href={to(`/transactions/${data.transactionId}`)}>
                      {data.transactionId}
                    </a>
                  ),
                ],
              ]}
            />
          </Card>
        </div>
        <div>
          <Card title="Member">
            <p>
              <Person id={data.userId} name={nameOf(data.owner)} email={data.owner?.email} />
            </p>
          </Card>
          <Card title="Times">
            <Facts
              of={[
                ['Begun', <Time key="begun" at={data.createdAt} />],
                ['Settled', data.settledAt && <Time key="settled" at={data.settledAt} />],
                ['Expires', <Time key="expires" at={data.expiresAt} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}
