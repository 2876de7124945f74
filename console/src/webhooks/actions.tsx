import type { WebhookEndpoint } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { changedIn, NOTHING_CHANGED } from '../changes.ts';
import { type Action, Field, filled, reasonOf, textOf } from '../parts/action.tsx';
import { go, to } from '../router.ts';
import { localTime, plural } from '../text.ts';

/** The endpoint's URL without `https://`. */
export const hostOf = ({ url }: Pick<WebhookEndpoint, 'url'>): string => url.replace(/^https:\/\//, '');

const Fields = ({ of }: { of?: WebhookEndpoint }) => (
  <>
    <Field label="Address" hint="An https address of a public host.">
      <input name="url" type="url" defaultValue={of?.url} maxLength={2048} required autoFocus />
    </Field>
    <Field
      label="Types"
      hint="Separated by spaces: * for all, wallet.* for those that begin with it, user.created for one."
    >
      <input name="types" defaultValue={of?.types.join(' ') ?? '*'} required />
    </Field>
    <Field label="Description" hint="Who receives the events, and what for.">
      <input name="description" defaultValue={of?.description ?? ''} maxLength={500} />
    </Field>
    <label class="check">
      <input type="checkbox" name="ordered" defaultChecked={of?.ordered ?? false} /> In order: each delivery
      waits for the one before it
    </label>
  </>
);

const bodyOf = (form: FormData) => ({
  url: textOf(form, 'url'),
  types: textOf(form, 'types')
    .split(/[\s,]+/)
    .filter(Boolean),
  description: textOf(form, 'description'),
  ordered: form.has('ordered'),
  reason: reasonOf(form),
});

export const REGISTER: Action = {
  name: 'Register endpoint',
  title: 'Register a webhook endpoint',
  fields: <Fields />,
  note: 'It is sent what happens from now on. The secret that signs its deliveries is shown once.',
  run: async (form, api) => {
    const { url, secret } = await api.webhookEndpoints.create(bodyOf(form));
    return `The secret of ${url} is ${secret} . It is not shown again.`;
  },
};

export const changeAction = (of: WebhookEndpoint): Action => ({
  name: 'Change',
  title: `Change ${hostOf(of)}`,
  confirmLabel: 'Save',
  fields: <Fields of={of} />,
  note: 'Deliveries that wait go to the new address, too.',
  run: async (form, api) => {
    const { url, description, ordered } = of;
    const { types, reason, ...typed } = bodyOf(form);
    const opened = { url, description: description ?? '', ordered, types: of.types.join(' ') };
    const changed = changedIn(opened, { ...typed, types: types.join(' ') });
    if (Object.keys(changed).length === 0) return NOTHING_CHANGED;
    const { types: names, ...others } = changed;
    const expectedUpdatedAt = of.updatedAt;
    const body = { ...others, ...(names !== undefined && { types }), expectedUpdatedAt, reason };
    return `Saved ${(await api.webhookEndpoints.update(of.id, body)).url}.`;
  },
});

export const enableAction = (of: WebhookEndpoint): Action => {
  const enabled = !of.enabled;
  return {
    name: enabled ? 'Enable' : 'Disable',
    title: `${enabled ? 'Enable' : 'Disable'} ${hostOf(of)}`,
    facts: [['State', enabled ? 'disabled → enabled' : 'enabled → disabled']],
    note: enabled
      ? 'What happened meanwhile is sent first.'
      : 'What happens meanwhile waits for 30 days, and is sent once it is enabled.',
    openings: enabled ? ['the receiver is back'] : ['the receiver is away until '],
    run: async (form, api) => {
      await api.webhookEndpoints.update(of.id, { enabled, reason: reasonOf(form) });
      return `${hostOf(of)} is ${enabled ? 'enabled' : 'disabled'}.`;
    },
  };
};

export const testAction = (of: WebhookEndpoint): Action => ({
  name: 'Test',
  title: `Send a test to ${hostOf(of)}`,
  confirmLabel: 'Send a test',
  note: 'It is sent an event of the type webhook.test, which appears among its deliveries.',
  openings: ['a new receiver', 'looking for the cause of '],
  run: async (form, api) => {
    const { eventId } = await api.webhookEndpoints.test(of.id, { reason: reasonOf(form) });
    return `The test ${eventId} is on its way.`;
  },
});

export const rotateAction = (of: WebhookEndpoint): Action => ({
  name: 'Replace secret',
  title: `Replace the secret of ${hostOf(of)}`,
  confirmLabel: 'Replace secret',
  isDangerous: true,
  note: 'Both secrets sign for 24 hours. The new one is shown once.',
  openings: ['rotation of the quarter', 'the secret was seen by others'],
  run: async (form, api) => {
    const { secret, previousSecretExpiresAt } = await api.webhookEndpoints.rotateWebhookSecret(of.id, {
      reason: reasonOf(form),
    });
    return `The new secret is ${secret} . It is not shown again. The former one signs until ${localTime(previousSecretExpiresAt)}.`;
  },
});

export const deleteAction = (of: WebhookEndpoint): Action => ({
  name: 'Delete',
  title: `Delete ${hostOf(of)}`,
  confirmLabel: 'Delete endpoint',
  isDangerous: true,
  typed: 'delete',
  note: 'It is sent nothing from now on, and its deliveries are forgotten. This cannot be undone.',
  run: async (form, api) => {
    await api.webhookEndpoints.delete(of.id, { reason: reasonOf(form) });
    go(to('/webhooks'));
    return `Deleted ${hostOf(of)}.`;
  },
});

/** Fields for the range to replay: from a sequence number or from a time. Only the fields of the chosen way exist. */
function Span({ from }: { from: number }) {
  const [by, setBy] = useState('number');
  return (
    <>
      <Field label="From">
        <select value={by} onChange={({ currentTarget }) => setBy(currentTarget.value)}>
          <option value="number">a delivery on</option>
          <option value="time">a time on</option>
        </select>
      </Field>
      {by === 'number' ? (
        <Field label="Number" hint="Of the first delivery that is sent again.">
          <input name="fromSequence" type="number" min={1} step={1} defaultValue={String(from)} required />
        </Field>
      ) : (
        <Field label="Since" hint="In your time zone.">
          <input name="since" type="datetime-local" required />
        </Field>
      )}
      <Field label="Until" hint="In your time zone; empty for now.">
        <input name="until" type="datetime-local" />
      </Field>
    </>
  );
}

/** Sends deliveries again; `from` is the suggested first sequence number. */
export const replayAction = (of: WebhookEndpoint, from = 1): Action => ({
  name: 'Replay',
  title: `Send events again to ${hostOf(of)}`,
  confirmLabel: 'Send again',
  facts: [['Newest delivery', String(of.lastSequence)]],
  fields: <Span from={from} />,
  note: 'They keep their ids and numbers, by which the receiver knows what it has had.',
  openings: ['the receiver lost what it was sent on '],
  run: async (form, api) => {
    const times = Object.entries(filled(form, 'since', 'until')).map(([name, local]) => [
      name,
      new Date(local).toISOString(),
    ]);
    const number = textOf(form, 'fromSequence');
    const { events } = await api.webhookEndpoints.replayWebhooks(of.id, {
      ...(number && { fromSequence: Number(number) }),
      ...Object.fromEntries(times),
      reason: reasonOf(form),
    });
    return `${plural(events, 'event is', 'events are')} sent again.`;
  },
});
