import { isPlatformError } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { provePassword } from '../session.ts';
import { Failed } from './note.tsx';

interface ConfirmParts {
  /** Verb and object, such as "Lock the wallet of Amara Okafor". */
  title: string;
  /** What the button says: the verb and the number again. */
  act: string;
  isDangerous?: boolean;
  /** What will change, and what stays. */
  children: ComponentChildren;
  /** Does it and says the new state; `key` is the same for every attempt of this dialog. */
  run: (form: FormData, key: string) => PromiseLike<string>;
  onDone: (sentence: string) => void;
  onClose: () => void;
}

/**
 * Asks before something that moves money or cannot be undone. It stays open when the platform refuses, and asks for the
 * password when the platform does.
 */
export function Confirm({ title, act, isDangerous = false, children, run, onDone, onClose }: ConfirmParts) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [asksPassword, setAsksPassword] = useState(false);
  // One key for all attempts: a double click or a repetition takes effect once.
  const [key] = useState(() => crypto.randomUUID());

  useEffect(() => dialog.current?.showModal(), []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    setError(undefined);
    try {
      if (asksPassword) await provePassword(String(form.get('password')));
      onDone(await run(form, key));
    } catch (failure) {
      if (isPlatformError(failure) && failure.code === 'PASSWORD_REQUIRED') setAsksPassword(true);
      else setError(failure);
      setSending(false);
    }
  };

  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="confirm-title">
      <form method="dialog" onSubmit={submit}>
        <h2 id="confirm-title">{title}</h2>
        {children}
        {asksPassword && (
          <label class="field">
            Your password
            <input name="password" type="password" autoComplete="current-password" required autoFocus />
            <small>Asked again because this moves money or rights.</small>
          </label>
        )}
        {error !== undefined && <Failed what="Nothing was changed" error={error} />}
        <footer>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isSending}>
            {isSending ? 'Sending' : act}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
