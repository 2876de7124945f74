import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { noteWrite } from '../api.ts';
import { doAtOnce, type Outcome, tell, tellFailure } from '../done.ts';
import { openDialogs } from '../query.ts';
import { type OwnFactors, ownFactors, proveByCode, proveByPasskey, provePassword } from '../session.ts';
import { plain, whetherDone } from '../text.ts';
import { Facts } from './card.tsx';
import { CodeField } from './code-field.tsx';
import { Failed } from './note.tsx';

/** What was done in a sentence; of several things, what became of each. */
type Result = string | { sentence: string; outcomes: Outcome[] };

export interface Act {
  /** What its button says. */
  name: string;
  /** Verb and object, such as "Lock the wallet of Amara Okafor". */
  title: string;
  /** What the button of the dialog says: the verb and the number again. */
  act?: string;
  isDangerous?: boolean;
  /** What will change, from what to what. */
  facts?: [label: string, value: ComponentChildren][];
  /** What stays, and whether it can be undone. */
  note?: ComponentChildren;
  fields?: ComponentChildren;
  /** What has to be typed before something that cannot be undone. */
  typed?: string;
  /** Whom the reason is for; `none` where the operation takes none. */
  reason?: 'audit' | 'told' | 'none';
  /** Beginnings of reasons, which the field proposes. */
  openings?: string[];
  /** Does it and says the new state; `key` is the same for every attempt of this dialog. */
  run: (form: FormData, key: string) => PromiseLike<Result>;
}

export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
export const reasonOf = (form: FormData): string => textOf(form, 'reason');

/** The fields of a form that are not empty, by name. */
export const filled = (form: FormData, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (textOf(form, name) ? [[name, textOf(form, name)]] : [])));

/** A button that opens the dialog of what it does. */
export function ActButton({ act, class: kind }: { act: Act; class?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {act.name}
      </button>
      {isOpen && <Confirm {...act} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A button for what can be undone: it is done at once, and the page says so. */
export const AtOnce = ({
  name,
  failed,
  run,
  class: kind,
}: {
  name: string;
  failed: string;
  run: () => PromiseLike<string>;
  class?: string;
}) => {
  const [isSending, setSending] = useState(false);
  return (
    <button
      type="button"
      class={kind}
      disabled={isSending}
      onClick={() => {
        setSending(true);
        void doAtOnce(failed, run).finally(() => setSending(false));
      }}
    >
      {name}
    </button>
  );
};

/**
 * Asks before something that moves money or cannot be undone. It stays open when the platform refuses, and asks for the
 * password, or for the second factor of whoever has one, when the platform does.
 */
export function Confirm(parts: Act & { onClose: () => void }) {
  const { name, act = name, isDangerous = false, facts, note, fields, run, onClose } = parts;
  const title = plain(parts.title);
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [proof, setProof] = useState<'password' | OwnFactors>();
  const [isValid, setValid] = useState(false);
  // One key for all attempts: a double click or a repetition takes effect once.
  const [key] = useState(() => crypto.randomUUID());
  const check = () => setValid(form.current?.checkValidity() ?? false);

  useLayoutEffect(() => {
    dialog.current?.showModal();
    // The focus of a dangerous act is on Cancel at its end.
    dialog.current?.scrollTo(0, 0);
    openDialogs.set(openDialogs.get() + 1);
    return () => openDialogs.set(openDialogs.get() - 1);
  }, []);
  useEffect(check, [proof]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const given = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    setError(undefined);
    try {
      if (proof === 'password') await provePassword(String(given.get('password')));
      const code = textOf(given, 'mfaCode');
      if (code !== '') await proveByCode(code);
      // A code serves once: what is refused from here on needs no other one.
      setProof(undefined);
      const result = await run(given, key);
      dialog.current?.close();
      typeof result === 'string' ? tell(result) : tell(result.sentence, result.outcomes);
    } catch (failure) {
      await answer(failure);
      setSending(false);
    }
  };

  /** Asks for the proof that is missing, or says what failed: on the page, where the dialog was closed meanwhile. */
  const answer = async (failure: unknown) => {
    const code = isPlatformError(failure) ? failure.code : '';
    if (code === 'PASSWORD_REQUIRED') setProof('password');
    else if (code === 'STEP_UP_REQUIRED') await ownFactors().then(setProof, setError);
    else if (dialog.current?.open) setError(failure);
    else tellFailure(whetherDone(failure, NOTHING), failure);
  };

  const close = () => {
    // What was refused or left uncertain may have been done by another, or by this.
    if (error !== undefined) noteWrite();
    onClose();
  };

  const usePasskey = async () => {
    setError(undefined);
    try {
      await proveByPasskey();
      form.current?.requestSubmit();
    } catch (failure) {
      setError(failure);
    }
  };

  const keepEnter = (event: KeyboardEvent) => {
    const isField = (event.target as Element).matches('input:not([type=checkbox], [type=radio])');
    if (isDangerous && event.key === 'Enter' && isField) event.preventDefault();
  };

  return (
    <dialog ref={dialog} onClose={close} aria-label={title}>
      <form ref={form} method="dialog" onSubmit={submit} onInput={check} onKeyDown={keepEnter}>
        <h2>{title}</h2>
        {facts && <Facts of={facts} />}
        {fields}
        {note && <p class="dim">{note}</p>}
        <Reason {...parts} />
        {parts.typed !== undefined && <Typed text={parts.typed} />}
        {typeof proof === 'object' && <Factors of={proof} onPasskey={usePasskey} />}
        {proof === 'password' && (
          <label class="field">
            Your password
            <input name="password" type="password" autoComplete="current-password" required autoFocus />
            <small>Asked again because this moves money or rights.</small>
          </label>
        )}
        {error !== undefined && (
          <Failed what={whetherDone(error, NOTHING)} error={error} next={whatNext(error)} />
        )}
        {isSending && <Late />}
        <footer>
          <button type="button" autoFocus={isDangerous} onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isSending || !isValid}>
            {isSending ? 'Sending' : act}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

const NOTHING = 'Nothing was changed';

/** What to do after an attempt of which nobody knows whether it took effect. */
function whatNext(error: unknown): string | undefined {
  if (!isPlatformError(error) || !error.isOutcomeUnknown) return undefined;
  return error.idempotencyKey
    ? 'Try again with the same entries: it is done once at most.'
    : 'Cancel and look before you do it again.';
}

/** Says after a while that there is no answer yet: whoever is limited is asked to wait for up to a minute. */
function Late() {
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

/** Asks for one of the operator's second factors. */
const Factors = ({ of, onPasskey }: { of: OwnFactors; onPasskey: () => void }) => (
  <>
    {of.totp && <CodeField isOptional={of.passkeys > 0} />}
    {of.passkeys > 0 && (
      <button type="button" onClick={onPasskey}>
        Use a passkey
      </button>
    )}
  </>
);

const HINTS = {
  audit: 'Kept in the audit log with your name. Members do not see it.',
  told: 'Kept in the audit log with your name. The member is told it.',
};

/** What has to be typed protects better than a focus on Cancel, so that the focus begins with the reason then. */
const Reason = ({ reason = 'audit', openings = [], typed }: Pick<Act, 'reason' | 'openings' | 'typed'>) =>
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

const Typed = ({ text }: { text: string }) => (
  <label class="field">
    Type “{text}”
    <input
      autoComplete="off"
      required
      onInput={({ currentTarget: box }) =>
        box.setCustomValidity(box.value.trim() === text ? '' : `Type ${text}`)
      }
    />
  </label>
);

/** A field of a form with its label and, below, what it means. */
export const Field = ({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string;
  children: ComponentChildren;
}) => (
  <label class="field">
    {label}
    {children}
    {hint && <small>{hint}</small>}
  </label>
);
