/** Asks for the second factor of whoever has an authenticator app. */
export const CodeField = () => (
  <label class="field">
    Code
    <input name="mfaCode" autoComplete="one-time-code" spellcheck={false} maxLength={64} required autoFocus />
    <small>Of your authenticator app, or a recovery code.</small>
  </label>
);
