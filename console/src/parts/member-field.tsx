import { listUsersAsAdmin } from '@platform-api/sdk';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useQuery } from '../query.ts';
import { nameOf } from '../text.ts';
import { Field } from './act.tsx';

const PAUSE_MS = 150;
const PROPOSED = 8;

/**
 * A field for a member, who is found by name, e-mail or id as one types; the form gets their id under `name`. It is valid
 * once it stands for exactly one member.
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
  const [asked, setAsked] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const { data, isLoading } = useQuery(`${permissions} ${asked}`, async (by, signal) =>
    asked === ''
      ? { items: [] }
      : by.call(
          listUsersAsAdmin,
          { query: { search: asked, limit: PROPOSED, ...(permissions && { permissions }) } },
          { signal },
        ),
  );
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const proposed = data?.items ?? [];
  const isKnown = text === asked && !isLoading;
  const exact = proposed.filter(({ id, email }) => id === text || email === text.toLowerCase());
  const named = proposed.filter((one) => nameOf(one).toLowerCase() === text.toLowerCase());
  const [found, ...others] = exact.length > 0 ? exact : named;
  const one = isKnown && others.length === 0 ? found : undefined;
  const nobody = permissions
    ? `Nobody with ${permissions.replaceAll(',', ' or ')} is found`
    : 'Nobody is found';
  const problem = text === '' || one ? '' : others.length > 0 ? 'Several are called this' : nobody;

  // What is found later than what was typed makes the form valid, as typing does.
  useEffect(() => {
    box.current?.setCustomValidity(problem);
    box.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [problem, one?.id]);

  const said = one
    ? `${nameOf(one)}, ${one.email}`
    : isKnown && problem
      ? `${problem}. Enter the e-mail or the id.`
      : (hint ?? 'By name, e-mail or id.');
  return (
    <Field label={label} hint={said}>
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
