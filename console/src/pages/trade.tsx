import { getTrade } from '@platform-api/sdk';
import { removeTrade } from '../community/actions.tsx';
import { StatusTag } from '../community/trade-status.tsx';
import { ActionButton } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Page } from '../parts/page.tsx';
import { Pending } from '../parts/pending.tsx';
import { Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { nameOf } from '../text.ts';

const above = { href: to('/trades'), text: 'Trade ideas' };

export default function TradePage({ id }: { id: string }) {
  const read = useQuery(id, (by, signal) => by.call(getTrade, { params: { tradeId: id } }, { signal }));
  const { data } = read;
  if (!data)
    return (
      <Pending title="Trade idea" above={above} beside={<Id id={id} />} what="The trade idea" of={read} />
    );
  return (
    <Page
      title={`${data.symbol} ${data.direction}`}
      above={above}
      beside={
        <>
          <StatusTag of={data.status} /> <Id id={id} />
        </>
      }
      actions={<ActionButton action={removeTrade(data)} class="danger" />}
    >
      <Card title="What it says">
        {data.note && <blockquote>{data.note}</blockquote>}
        <Facts
          of={[
            [
              'Author',
              <a key="author" href={to(`/members/${data.userId}`)}>
                {nameOf(data.user)}
              </a>,
            ],
            ['Entry', data.entryPrice],
            ['Stop loss', data.stopLoss],
            ['Take profit', data.takeProfit],
            ['Exit', data.exitPrice],
            ['Made', <Time key="made" at={data.createdAt} />],
            ['Closed', data.closedAt && <Time key="closed" at={data.closedAt} />],
          ]}
        />
      </Card>
    </Page>
  );
}
