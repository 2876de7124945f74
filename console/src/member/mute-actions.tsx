import { getMember } from '@platform-api/sdk';
import { type Action, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { isMissing, useQuery } from '../query.ts';
import { session } from '../session.ts';
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

/**
 * Whether an operator may mute somebody: nobody mutes operators, so not themselves either. Without their permissions, which
 * not all operators see, the platform decides.
 */
export function mayBeMuted(id: string, permissions: string[] = []): boolean {
  const current = session.get();
  const isSelf = current.state === 'signed-in' && current.user.id === id;
  return !isSelf && !permissions.some((one) => one === 'admin' || one === 'moderator');
}

/**
 * Says until when they are muted now, which the page may not show yet: a shorter mute would end a longer one. The form has
 * it, too, so that no mute is replaced that is not shown here.
 */
function MutedAlready({ id }: { id: string }) {
  const { data, error } = useQuery(`mute of ${id}`, (by, signal) =>
    by.call(getMember, { params: { id } }, { signal }),
  );
  if (error !== undefined && !isMissing(error))
    return <Failed what="Whether they are muted already could not be read" error={error} />;
  if (!data) return null;
  const { mutedUntil } = data;
  return (
    <>
      <input type="hidden" name="mutedUntil" value={mutedUntil ?? ''} />
      {mutedUntil && <Note tone="warn">Muted until {localTime(mutedUntil)} already; this replaces it.</Note>}
    </>
  );
}

/** Prevents a member from writing anywhere on the platform for a chosen time. */
export const muteAction = ({ id, name }: { id: string; name: string }): Action => ({
  name: 'Mute everywhere',
  title: `Mute ${name} everywhere`,
  confirmLabel: 'Mute',
  reason: 'told',
  fields: (
    <>
      <MutedAlready id={id} />
      <MuteSpan />
      <label class="check">
        <input type="checkbox" name="deleteMessages" /> Delete their messages of the last seven days
      </label>
    </>
  ),
  note: 'They can still read, but cannot write anywhere. You can end it earlier.',
  openings: ['spam in several rooms', 'insults other members'],
  run: async (form, api) => {
    const { mutedUntil } = await api.moderation.muteUser(id, {
      minutes: Number(textOf(form, 'minutes')),
      deleteMessages: form.has('deleteMessages'),
      ...(form.has('mutedUntil') && { expectedMutedUntil: textOf(form, 'mutedUntil') || null }),
      reason: reasonOf(form),
    });
    return `${name} is muted everywhere${mutedUntil ? ` until ${localTime(mutedUntil)}` : ''}.`;
  },
});

export const unmuteAction = ({ id, name }: { id: string; name: string }): Action => ({
  name: 'End mute',
  title: `End the mute of ${name}`,
  confirmLabel: 'End mute',
  reason: 'told',
  run: async (form, api) => {
    const { wasMutedUntil } = await api.moderation.unmuteUser(id, { reason: reasonOf(form) });
    return wasMutedUntil ? `${name} can write again.` : `${name} was not muted.`;
  },
});
