import { useEffect, useState } from 'preact/hooks';
import type { OwnFactors } from '../session.ts';
import { CodeField } from './code-field.tsx';

/** Says after 5 seconds that there is no answer yet: retries after a rate limit may take up to a minute. */
export function Late() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 5_000);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <p class="dim" role="status">
      The platform has not answered yet. It is asked again by itself.
    </p>
  ) : null;
}

/** Asks for a code or a passkey, depending on the second factors that the operator has. */
export const Factors = ({ of, onPasskey }: { of: OwnFactors; onPasskey: () => void }) => (
  <>
    {of.totp && <CodeField isOptional={of.passkeys > 0} />}
    {of.passkeys > 0 && (
      <button type="button" onClick={onPasskey}>
        Use a passkey
      </button>
    )}
  </>
);

interface ButtonParts {
  label: string;
  isDangerous: boolean;
  isSending: boolean;
  isValid: boolean;
  onCancel: () => void;
  /** Given after a save that was refused because of another one: saving the same form again would be, too. */
  onLoadAnew: (() => void) | undefined;
}

/** The buttons of a dialog. The last one stays where it is, so that a second click on it does nothing else. */
export const Buttons = ({ label, isDangerous, isSending, isValid, onCancel, onLoadAnew }: ButtonParts) => (
  <footer>
    <button type="button" autoFocus={isDangerous} onClick={onCancel}>
      Cancel
    </button>
    {onLoadAnew && (
      <button type="button" class="primary" disabled={isSending} onClick={onLoadAnew}>
        {isSending ? 'Loading' : 'Load anew'}
      </button>
    )}
    <button
      type="submit"
      class={onLoadAnew ? undefined : isDangerous ? 'danger' : 'primary'}
      disabled={isSending || !isValid || onLoadAnew !== undefined}
    >
      {isSending && !onLoadAnew ? 'Sending' : label}
    </button>
  </footer>
);

const HINTS = {
  audit: 'Kept in the audit log with your name. Members do not see it.',
  told: 'Kept in the audit log with your name. The member is told it.',
  shown: 'Kept in the audit log with your name. The member is not notified, but sees it beside the request.',
  returned: 'Kept in the audit log with your name. If the Keys go back, the member can read it beside them.',
  wallet: 'Kept in the audit log with your name, and with the wallet, where the member can read it.',
};

/** Who reads a reason: only the audit log, also the member who is told it, or who finds it beside the record. */
export type Reader = keyof typeof HINTS;

interface ReasonParts {
  reason?: Reader | 'none';
  openings?: string[];
  typed?: string;
}

/** The field for the reason. It gets the focus if a text must be typed: that protects better than a focus on Cancel. */
export const Reason = ({ reason = 'audit', openings = [], typed }: ReasonParts) =>
  reason === 'none' ? null : (
    <label class="field">
      Reason
      <input
        name="reason"
        required
        minLength={8}
        maxLength={500}
        list="openings"
        autoComplete="off"
        autoFocus={typed !== undefined}
      />
      <small>{HINTS[reason]} At least 8 characters.</small>
      <datalist id="openings">
        {openings.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </label>
  );

/** A field for a text that must be typed as it is seen: blanks at its ends are not seen, several look like one. */
export const Typed = ({ text }: { text: string }) => {
  const seen = seenAs(text);
  return (
    <label class="field">
      Type “{seen}”
      <input
        autoComplete="off"
        required
        onInput={({ currentTarget: box }) =>
          box.setCustomValidity(seenAs(box.value) === seen ? '' : `Type ${seen}`)
        }
      />
    </label>
  );
};

/** A text without what a page does not show of it: blanks beside blanks, and characters that have no shape. */
const seenAs = (text: string): string =>
  text
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
