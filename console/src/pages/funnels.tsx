import { now } from '../api.ts';
import { Card } from '../parts/card.tsx';
import { Filters, periodFilter } from '../parts/filters.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { useQuery } from '../query.ts';
import { go, to, usePlace } from '../router.ts';
import { count } from '../text.ts';

const DAY_MS = 86_400_000;

/** Shows how many members went through a sequence of events. The sequence is part of the address. */
export default function Funnels() {
  const { query } = usePlace();
  const steps = query.steps?.split('~').filter(Boolean) ?? [];
  const days = Number(query.days) || 30;
  const { data: popular } = useQuery('popular', (by, signal) =>
    by.analytics.listPopularEvents({ source: 'all' }, { signal }),
  );
  const set = (next: string[]) => go(to('/funnels', { ...query, steps: next.join('~') }));
  return (
    <Page title="Analytics" beside="How many members go all the way">
      <Filters
        of={[
          periodFilter('days', [
            ['7', '7 days'],
            ['90', '90 days'],
          ]),
        ]}
      />
      <div class="columns">
        <div>
          {steps.length > 1 ? (
            <Result steps={steps} days={days} />
          ) : (
            <p class="card empty">
              Choose two events or more. Each step counts members who did all before, in order.
            </p>
          )}
        </div>
        <Card title="Steps">
          <ol class="steps">
            {steps.map((name, place) => (
              <li key={`${place} ${name}`}>
                <span>{name}</span>
                <button
                  type="button"
                  aria-label={`Without ${name}`}
                  onClick={() => set(steps.filter((_step, other) => other !== place))}
                >
                  ×
                </button>
              </li>
            ))}
          </ol>
          <p>
            <label class="field">
              Next step
              <select value="" onChange={(event) => set([...steps, event.currentTarget.value])}>
                <option value="">choose an event</option>
                {(popular ?? []).slice(0, 200).map(({ eventName }) => (
                  <option key={eventName} value={eventName}>
                    {eventName}
                  </option>
                ))}
              </select>
            </label>
          </p>
        </Card>
      </div>
    </Page>
  );
}

function Result({ steps, days }: { steps: string[]; days: number }) {
  const { data, error, reload } = useQuery(JSON.stringify([steps, days]), (by, signal) =>
    by.analytics.askFunnel(
      { eventSequence: steps, startDate: new Date(now() - days * DAY_MS).toISOString(), source: 'all' },
      { signal },
    ),
  );
  if (error !== undefined) return <Failed what="The funnel could not be read" error={error} retry={reload} />;
  if (!data) return <Loading />;
  return (
    <Card
      title={`${data.conversionRate}% go all the way`}
      more={<span class="dim">{count(data.totalUsers)} began</span>}
    >
      <ol class="funnel">
        {data.funnel.map(({ step, count: members, percentage, dropoff }) => (
          <li key={step}>
            <div>
              <span>{steps[step - 1] ?? step}</span>
              <span>
                <strong>{count(members)}</strong> {percentage}%
                {dropoff > 0 && <span class="dim"> · {dropoff}% left before</span>}
              </span>
            </div>
            <progress max={100} value={percentage} aria-label={`${percentage}% reached step ${step}`} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
