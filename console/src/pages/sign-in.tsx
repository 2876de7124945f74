import { isPlatformError } from '@platform-api/sdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CodeField } from '../parts/code-field.tsx';
import { ErrorLink, Note } from '../parts/note.tsx';
import { Brand, Environment } from '../parts/shell.tsx';
import { type SignInOffer, signIn, signInByPasskey } from '../session.ts';
import { because } from '../text.ts';

/** The sign-in as a page of its own. */
export const SignIn = ({ offer }: { offer: SignInOffer }) => (
  <main class="alone">
    <SignInForm offer={offer} />
  </main>
);

/** The sign-in dialog after a sign-in has ended. It hides the page behind it, whose state is kept. */
export function SignInAgain({ offer }: { offer: SignInOffer }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="again"
      aria-label="Sign in to the console"
      onCancel={(event) => event.preventDefault()}
    >
      <SignInForm offer={offer} hasEnded />
    </dialog>
  );
}

function SignInForm({ offer, hasEnded = false }: { offer: SignInOffer; hasEnded?: boolean }) {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  useEffect(() => {
    if (!hasEnded) document.title = 'Sign in · Console';
  }, [hasEnded]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [email, password] = [String(form.get('email')), String(form.get('password'))];
    await attempt(() =>
      signIn({ email, password, ...(asksCode && { mfaCode: String(form.get('mfaCode')) }) }),
    );
  };

  const attempt = async (enter: () => Promise<void>) => {
    if (isSending) return;
    setSending(true);
    setError(undefined);
    try {
      await enter();
    } catch (failure) {
      if (isPlatformError(failure) && failure.code === 'MFA_REQUIRED') setAsksCode(true);
      else setError(failure);
      setSending(false);
    }
  };

  return (
    <form class="card sign-in" onSubmit={submit}>
      <header>
        <Brand />
        <Environment name={offer.environment} />
      </header>
      <h1>Sign in to the console</h1>
      {hasEnded && error === undefined && (
        <Note tone="info">
          <strong>You were signed out.</strong> What you had typed is kept.
        </Note>
      )}
      {error !== undefined && (
        <Note tone="bad" appears>
          {because(error)} <ErrorLink error={error} />
        </Note>
      )}
      <label class="field">
        E-mail
        <input name="email" type="email" autoComplete="username" required autoFocus />
      </label>
      <label class="field">
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {asksCode && <CodeField />}
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? 'Signing in' : 'Sign in'}
      </button>
      {offer.offersPasskeys && (
        <button type="button" disabled={isSending} onClick={() => attempt(signInByPasskey)}>
          Sign in with a passkey
        </button>
      )}
      <p class="dim">
        You are signed out after 30 minutes without use. Everything you change is recorded under your name.
      </p>
    </form>
  );
}
