import { listUsersAsAdmin } from '@platform-api/sdk';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useQuery } from '../query.ts';
import { nameOf } from '../text.ts';
import { Field } from './action.tsx';

const TYPING_MS = 150;
const MAX_PROPOSALS = 8;

/**
 * A field that finds a member by name, e-mail or id while one types. The form gets the member's id under `name`. The
 * field is valid when exactly one member matches.
 */
export function MemberField({
  label,
  hint,
  permissions,
  name = 'userId',
  isOptional = false,
}: {
  label: string;
  hint?: string;
  /** Proposes only members with one of these permissions, separated by commas. */
  permissions?: string;
  name?: string;
  isOptional?: boolean;
}) {
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const { data, isLoading } = useQuery(`${permissions} ${searched}`, async (by, signal) =>
    searched === ''
      ? { items: [] }
      : by.call(
          listUsersAsAdmin,
          { query: { search: searched, limit: MAX_PROPOSALS, ...(permissions && { permissions }) } },
          { signal },
        ),
  );
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const proposed = data?.items ?? [];
  const isSearched = text === searched && !isLoading;
  const exact = proposed.filter(({ id, email }) => id === text || email === text.toLowerCase());
  const named = proposed.filter((one) => nameOf(one).toLowerCase() === text.toLowerCase());
  const [found, ...others] = exact.length > 0 ? exact : named;
  const one = isSearched && others.length === 0 ? found : undefined;
  const nobody = permissions
    ? `Nobody with ${permissions.replaceAll(',', ' or ')} is found`
    : 'Nobody is found';
  const problem = text === '' || one ? '' : others.length > 0 ? 'Several are called this' : nobody;

  // The search ends after the last keystroke, so its result has to trigger the form's check as typing does.
  useEffect(() => {
    box.current?.setCustomValidity(problem);
    box.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [problem, one?.id]);

  const shownHint = one
    ? `${nameOf(one)}, ${one.email}`
    : isSearched && problem
      ? `${problem}. Enter the e-mail or the id.`
      : (hint ?? 'By name, e-mail or id.');
  return (
    <Field label={label} hint={shownHint}>
      <input
        ref={box}
        list={list}
        autoComplete="off"
        maxLength={200}
        required={!isOptional}
        autoFocus={!isOptional}
        onInput={({ currentTarget: { value } }) => setText(value.trim())}
      />
      <input type="hidden" name={name} value={one?.id ?? ''} />
      <datalist id={list}>
        {proposed.map((member) => (
          <option key={member.id} value={member.email}>
            {nameOf(member)}
          </option>
        ))}
      </datalist>
    </Field>
  );
}
