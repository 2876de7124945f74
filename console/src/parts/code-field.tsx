import { useLayoutEffect, useRef } from 'preact/hooks';

/** A field for a code of the authenticator app or a recovery code. It takes the focus when it appears. */
export function CodeField({ isOptional = false }: { isOptional?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <label class="field">
      Code
      <input
        ref={input}
        name="mfaCode"
        autoComplete="one-time-code"
        spellcheck={false}
        maxLength={64}
        required={!isOptional}
      />
      <small>Of your authenticator app, or a recovery code.</small>
    </label>
  );
}
