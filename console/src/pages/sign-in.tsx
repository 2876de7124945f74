import { useEffect, useState } from 'preact/hooks';
import { Note } from '../parts/note.tsx';
import { Brand, Environment } from '../parts/shell.tsx';
import { signIn } from '../session.ts';
import { because } from '../text.ts';

export function SignIn({ environment }: { environment: string }) {
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Console';
  }, []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setSending(true);
    setError(undefined);
    try {
      await signIn(String(form.get('email')), String(form.get('password')));
    } catch (failure) {
      setError(failure);
      setSending(false);
    }
  };

  return (
    <main class="alone">
      <form class="card sign-in" onSubmit={submit}>
        <header>
          <Brand />
          <Environment name={environment} />
        </header>
        <h1>Sign in to the console</h1>
        {error !== undefined && (
          <Note tone="bad" appears>
            {because(error)}.
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
        <button type="submit" class="primary" disabled={isSending}>
          {isSending ? 'Signing in' : 'Sign in'}
        </button>
        <p class="dim">
          You are signed out after 30 minutes without use. Everything you change is recorded under your name.
        </p>
      </form>
    </main>
  );
}
