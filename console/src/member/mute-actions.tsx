import { type Action, Field, reasonOf, textOf } from '../parts/action.tsx';
import { localTime } from '../text.ts';

const SPANS: [minutes: number, text: string][] = [
  [60, 'an hour'],
  [24 * 60, 'a day'],
  [7 * 24 * 60, 'a week'],
  [30 * 24 * 60, '30 days'],
];

/** For how long somebody is muted; `minutes` of the form. */
export const MuteSpan = () => (
  <Field label="For">
    <select name="minutes">
      {SPANS.map(([minutes, text]) => (
        <option key={minutes} value={minutes} selected={minutes === 24 * 60}>
          {text}
        </option>
      ))}
    </select>
  </Field>
);

/** Prevents a member from writing anywhere on the platform for a chosen time. */
export const muteAction = ({ id, name }: { id: string; name: string }): Action => ({
  name: 'Mute everywhere',
  title: `Mute ${name} everywhere`,
  confirmLabel: 'Mute',
  fields: (
    <>
      <MuteSpan />
      <label class="check">
        <input type="checkbox" name="deleteMessages" /> Delete their messages of the last seven days
      </label>
    </>
  ),
  note: 'They read on, and write nowhere. It can be ended.',
  openings: ['spam in several rooms', 'insults other members'],
  run: async (form, api) => {
    const { mutedUntil } = await api.moderation.muteUser(id, {
      minutes: Number(textOf(form, 'minutes')),
      deleteMessages: form.has('deleteMessages'),
      reason: reasonOf(form),
    });
    return `${name} is muted everywhere${mutedUntil ? ` until ${localTime(mutedUntil)}` : ''}.`;
  },
});

export const unmuteAction = ({ id, name }: { id: string; name: string }): Action => ({
  name: 'End mute',
  title: `End the mute of ${name}`,
  confirmLabel: 'End mute',
  run: async (form, api) => {
    const { wasMutedUntil } = await api.moderation.unmuteUser(id, { reason: reasonOf(form) });
    return wasMutedUntil ? `${name} can write again.` : `${name} was not muted.`;
  },
});
