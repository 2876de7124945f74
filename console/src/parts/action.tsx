import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Api, apiWithKey, noteWrite } from '../api.ts';
import { doAtOnce, type Outcome, showFailure, showResult } from '../last-action.ts';
import { openDialogs, readAnew } from '../query.ts';
import { type OwnFactors, ownFactors, proveByCode, proveByPasskey, provePassword } from '../session.ts';
import { isConflict, plain, whetherDone } from '../text.ts';
import { Buttons, Factors, Late, type Reader, Reason, Typed } from './action-fields.tsx';
import { Facts } from './card.tsx';
import { Failed } from './note.tsx';

/** The result of an action as a sentence; a bulk action adds the outcome of each item. */
type Result = string | { sentence: string; outcomes: Outcome[] };

/** An action of an operator, which a dialog describes and confirms. */
export interface Action {
  /** The label of the button that opens the dialog. */
  name: string;
  /** The dialog's heading: verb and object, such as "Lock the wallet of Amara Okafor". */
  title: string;
  /** The label of the dialog's confirming button, such as "Retry 3"; `name` by default. */
  confirmLabel?: string;
  isDangerous?: boolean;
  /** What will change, with the current and the new value. */
  facts?: [label: string, value: ComponentChildren][];
  /** What will stay as it is, and whether the action can be undone. */
  note?: ComponentChildren;
  fields?: ComponentChildren;
  /** A text that the operator has to type to confirm an action that cannot be undone. */
  typed?: string;
  /** Who reads the reason; `none` if the operation takes no reason. */
  reason?: Reader | 'none';
  /** Suggestions for the beginning of the reason. */
  openings?: string[];
  /** Runs the action and returns its result. All attempts of one dialog write with the same idempotency key through `api`. */
  run: (form: FormData, api: Api) => PromiseLike<Result>;
}

export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
export const reasonOf = (form: FormData): string => textOf(form, 'reason');

/** The fields with these names that are not empty. */
export const filled = (form: FormData, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (textOf(form, name) ? [[name, textOf(form, name)]] : [])));

/** A button that opens the action's dialog. */
export function ActionButton({ action, class: kind }: { action: Action; class?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {action.name}
      </button>
      {isOpen && <Confirm action={action} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A button for an action that can be undone: it runs without a dialog, and the page shows the result. */
export const AtOnce = ({
  name,
  failed,
  run,
  class: kind,
}: {
  name: string;
  failed: string;
  run: (api: Api) => PromiseLike<string>;
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
 * The dialog that confirms an action. It keeps to the record with which it was opened, whatever `action` becomes on the
 * page, until the operator has it loaded anew.
 */
export function Confirm({ action, onClose }: { action: Action; onClose: () => void }) {
  const [round, setRound] = useState(0);
  const opened = useMemo(() => action, [round]);
  return <Dialog key={round} {...opened} onClose={onClose} onLoaded={() => setRound(round + 1)} />;
}

/**
 * A dialog stays open when the platform refuses, and asks for the password or the second factor when the platform
 * requires it. `onLoaded` follows once the page has read anew what somebody else has changed.
 */
function Dialog(props: Action & { onClose: () => void; onLoaded: () => void }) {
  const { name, confirmLabel = name, isDangerous = false, facts, note, fields, run, onClose } = props;
  const title = plain(props.title);
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<unknown>();
  const [unread, setUnread] = useState<unknown>();
  // An attempt whose outcome is unknown may have taken effect, whatever becomes of the next one.
  const isUnsure = useRef(false);
  const [isSending, setSending] = useState(false);
  const [proof, setProof] = useState<'password' | OwnFactors>();
  const [isValid, setValid] = useState(false);
  // All attempts share a key, so that a double click or a retry takes effect once.
  const [key] = useState(() => crypto.randomUUID());
  const check = () => setValid(form.current?.checkValidity() ?? false);

  useLayoutEffect(() => {
    dialog.current?.showModal();
    // A dangerous action focuses Cancel at the bottom, which would scroll a long dialog down.
    dialog.current?.scrollTo(0, 0);
    openDialogs.set(openDialogs.get() + 1);
    return () => openDialogs.set(openDialogs.get() - 1);
  }, []);
  useEffect(check, [proof]);
  useLayoutEffect(() => {
    // On a small screen they are below what can be seen.
    for (const part of dialog.current?.querySelectorAll('footer, [role=alert]') ?? [])
      if (error !== undefined) part.scrollIntoView({ block: 'nearest' });
  }, [error, unread]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const formData = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    setError(undefined);
    try {
      if (proof === 'password') await provePassword(String(formData.get('password')));
      const code = textOf(formData, 'mfaCode');
      if (code !== '') await proveByCode(code);
      // The proof is accepted now and a code can be used only once: do not send it again if the action itself fails.
      setProof(undefined);
      const result = await run(formData, apiWithKey(key));
      dialog.current?.close();
      typeof result === 'string' ? showResult(result) : showResult(result.sentence, result.outcomes);
    } catch (failure) {
      await answer(failure);
      setSending(false);
    }
  };

  /** Asks for the missing proof, or shows the failure: on the page if the dialog was closed meanwhile. */
  const answer = async (failure: unknown) => {
    const code = isPlatformError(failure) ? failure.code : '';
    if (code === 'PASSWORD_REQUIRED') setProof('password');
    else if (code === 'STEP_UP_REQUIRED') await ownFactors().then(setProof, setError);
    else if (dialog.current?.open) setError(failure);
    else showFailure(whetherDone(failure, nothing()), failure);
    isUnsure.current ||= isPlatformError(failure) && failure.isOutcomeUnknown;
  };

  const nothing = () =>
    isUnsure.current
      ? 'An earlier attempt may have been done'
      : `Nothing was ${isConflict(error) ? 'saved' : 'changed'}`;

  const loadAnew = async () => {
    setSending(true);
    const failure = await readAnew();
    // It may have been closed meanwhile.
    if (!dialog.current?.open) return;
    if (failure === undefined) props.onLoaded();
    setUnread(failure);
    setSending(false);
  };

  const close = () => {
    // After a refusal or an unknown outcome the data may have changed: by somebody else, or by this attempt.
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
        <Reason {...props} />
        {props.typed !== undefined && <Typed text={props.typed} />}
        {typeof proof === 'object' && <Factors of={proof} onPasskey={usePasskey} />}
        {proof === 'password' && (
          <label class="field">
            Your password
            <input name="password" type="password" autoComplete="current-password" required autoFocus />
            <small>Asked again because this moves money or rights.</small>
          </label>
        )}
        {error !== undefined && (
          <Failed
            what={whetherDone(error, nothing())}
            error={error}
            next={whatNext(error, isUnsure.current)}
          />
        )}
        {unread !== undefined && <Failed what="It could not be loaded anew" error={unread} />}
        {isSending && <Late />}
        <Buttons
          label={confirmLabel}
          isDangerous={isDangerous}
          isSending={isSending}
          isValid={isValid}
          onCancel={() => dialog.current?.close()}
          onLoadAnew={isConflict(error) ? loadAnew : undefined}
        />
      </form>
    </dialog>
  );
}

/** Advice after an attempt of this dialog whose outcome is unknown, or that came after a change of somebody else. */
function whatNext(error: unknown, wasUnsure: boolean): string | undefined {
  if (!isPlatformError(error) || error.code === 'IDEMPOTENCY_KEY_REUSED') return undefined;
  if (isConflict(error)) return 'Copy what you have typed, then load it anew.';
  if (error.isOutcomeUnknown && error.idempotencyKey)
    return 'Try again with the same entries: it is done once at most.';
  return error.isOutcomeUnknown || wasUnsure ? 'Cancel and look before you do it again.' : undefined;
}

/** A form field with its label and a hint below it. */
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
