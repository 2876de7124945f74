import type { BulkNotification, SendNotificationBody } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { type Action, ActionButton, Field, filled, reasonOf, textOf } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { MemberField } from '../parts/member-field.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { Id, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { go, to, usePlace } from '../router.ts';
import { count, plural, words } from '../text.ts';

const TYPES: SendNotificationBody['type'][] = [
  'announcement',
  'alert',
  'reminder',
  'course_update',
  'trade_update',
  'achievement',
  'welcome',
];
const CHANNELS = ['push', 'email', 'sms'] as const;

const KindField = () => (
  <Field label="Kind">
    <select name="type">
      {TYPES.map((type) => (
        <option key={type} value={type}>
          {words(type)}
        </option>
      ))}
    </select>
  </Field>
);

const Content = () => (
  <>
    <KindField />
    <Field label="Title">
      <input name="title" maxLength={200} required />
    </Field>
    <Field label="Text">
      <textarea name="message" rows={4} maxLength={2000} required />
    </Field>
    <fieldset>
      <legend>Channels, besides the list in the app</legend>
      {CHANNELS.map((channel) => (
        <label key={channel} class="check">
          <input type="checkbox" name="channel" value={channel} defaultChecked={channel !== 'sms'} />{' '}
          {channel}
        </label>
      ))}
    </fieldset>
  </>
);

const contentOf = (form: FormData): Omit<SendNotificationBody, 'userId'> => ({
  type: textOf(form, 'type') as SendNotificationBody['type'],
  title: textOf(form, 'title'),
  message: textOf(form, 'message'),
  channels: form.getAll('channel') as SendNotificationBody['channels'] & string[],
});

const sentTo = (deliveries: { channel: string; status: string }[]): string =>
  `Sent. ${deliveries.map(({ channel, status }) => `${channel}: ${status}`).join(', ')}`;

const ID = /^[0-9a-f]{24}$/;

/** The ids in a text, in small letters and each once, and what else it has. */
function readIds(text: string): { ids: string[]; others: string[] } {
  const parts = new Set(
    text
      .toLowerCase()
      .split(/[\s,;"']+/)
      .filter(Boolean),
  );
  return { ids: [...parts].filter((one) => ID.test(one)), others: [...parts].filter((one) => !ID.test(one)) };
}

/** The field for ids, which says beforehand who will get the notification, and what in the text is no id. */
function IdsField() {
  const [text, setText] = useState('');
  const { ids, others } = readIds(text);
  const more = others.length > 5 ? ` and ${others.length - 5} more` : '';
  return (
    <label class="field">
      Ids of members
      <textarea
        name="ids"
        rows={4}
        required
        onInput={({ currentTarget: box }) => {
          setText(box.value);
          box.setCustomValidity(readIds(box.value).ids.length > 0 ? '' : 'No id of a member');
        }}
      />
      <small role="status">
        {text.trim() === ''
          ? 'Separated by blanks, commas or lines, such as a column of a file of members.'
          : `${plural(ids.length, 'member')}.`}
        {others.length > 0 && (
          <span class="bad-text">
            {' '}
            Not ids, so nobody gets it: {others.slice(0, 5).join(', ')}
            {more}.
          </span>
        )}
      </small>
    </label>
  );
}

const ONE: Action = {
  name: 'Notify a member',
  title: 'Notify a member',
  confirmLabel: 'Send',
  fields: (
    <>
      <MemberField label="Member" />
      <Content />
    </>
  ),
  run: async (form, api) => {
    const { deliveries } = await api.notifications.send({
      ...contentOf(form),
      userId: textOf(form, 'userId'),
      reason: reasonOf(form),
    });
    return sentTo(deliveries);
  },
};

const MANY: Action = {
  name: 'Notify many',
  title: 'Notify many members',
  confirmLabel: 'Send to all of them',
  isDangerous: true,
  fields: (
    <>
      <IdsField />
      <Content />
    </>
  ),
  note: 'Everybody gets it once. It cannot be taken back.',
  run: async (form, api) => {
    const userIds = readIds(textOf(form, 'ids')).ids;
    const { jobId, requested } = await api.notifications.sendBulk({
      userIds,
      notification: contentOf(form),
      reason: reasonOf(form),
    });
    go(to('/sending', { job: jobId }));
    return `Notifying ${plural(requested, 'member')}. The progress is below.`;
  },
};

const TEST: Action = {
  name: 'Send a test',
  title: 'Send a test notification',
  confirmLabel: 'Send test',
  fields: (
    <>
      <Field label="Channel">
        <select name="channel">
          {CHANNELS.map((channel) => (
            <option key={channel} value={channel}>
              {channel}
            </option>
          ))}
        </select>
      </Field>
      <KindField />
      <MemberField label="Member" hint="You yourself, if it is empty." isOptional />
    </>
  ),
  run: async (form, api) => {
    const { deliveries } = await api.notifications.test({
      channel: textOf(form, 'channel') as (typeof CHANNELS)[number],
      type: textOf(form, 'type') as SendNotificationBody['type'],
      ...filled(form, 'userId'),
      reason: reasonOf(form),
    });
    return sentTo(deliveries);
  },
};

const Progress = ({ of }: { of: BulkNotification }) => (
  <Card title="Progress" more={<Tag tone={of.status === 'finished' ? 'ok' : 'info'}>{of.status}</Tag>}>
    <p>
      <progress max={Math.max(1, of.requested)} value={of.done} aria-label="Members notified" />
    </p>
    <Facts
      of={[
        ['Done', `${count(of.done)} of ${count(of.requested)}`],
        ['Unknown ids', count(of.unknown)],
        ['Begun', <Time key="begun" at={of.createdAt} />],
        ['Finished', of.finishedAt && <Time key="finished" at={of.finishedAt} />],
        ['Job', <Id key="job" id={of.jobId} />],
      ]}
    />
  </Card>
);

function Followed({ job }: { job: string }) {
  const { data, error, reload } = useQuery(job, (by, signal) => by.notifications.getBulk(job, { signal }), {
    pollMs: 2_000,
  });
  if (data) return <Progress of={data} />;
  if (error !== undefined)
    return <Failed what="The progress could not be read" error={error} retry={reload} />;
  return <Loading />;
}

const WAYS: [title: string, text: string, action: Action][] = [
  ['One member', 'They get it in the app, and on the channels that they have not turned off.', ONE],
  ['Many members', 'They get it one after another. Meanwhile this page shows the progress.', MANY],
  ['A test', 'You, or another member, get a sample on one channel: does that channel work?', TEST],
];

export default function Sending() {
  const { job } = usePlace().query;
  return (
    <Page title="Notifications">
      {job && <Followed job={job} />}
      <div class="boards">
        {WAYS.map(([title, text, action]) => (
          <Card key={title} title={title}>
            <p class="dim">{text}</p>
            <p>
              <ActionButton action={action} />
            </p>
          </Card>
        ))}
      </div>
    </Page>
  );
}
