import { Field } from '../parts/action.tsx';

/** Why a moderator changes the texts of a chatroom or community. */
export const TEXT_OPENINGS = ['the name promises profits', 'the description insults members'];

/** The fields of the texts that chatrooms and communities have in common. */
export const TextFields = ({ name, description }: { name: string; description: string }) => (
  <>
    <Field label="Name">
      <input name="name" defaultValue={name} maxLength={100} required />
    </Field>
    <Field label="Description">
      <textarea name="description" defaultValue={description} rows={3} maxLength={1000} />
    </Field>
  </>
);
