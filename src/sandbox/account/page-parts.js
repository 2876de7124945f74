export const $ = (id) => document.getElementById(id);

/** `api` is the SDK client of the signed-in member; `show` loads the account and renders it. */
export const account = { api: undefined, show: undefined };

/** Texts of the page for errors whose message is meant for programs. */
const TEXTS = {
  STEP_UP_REQUIRED: 'Nothing was changed, because you did not confirm.',
  AUTHENTICATION_FAILED: 'The e-mail address or the password is wrong.',
};

/** Returns the text that the page shows for an error; of several validation errors it is the first. */
export const textOf = (error) => TEXTS[error.code] ?? error.fields?.[0]?.message ?? error.message;

export const timeOf = (instant) =>
  new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

export function element(tag, text, attributes = {}) {
  const created = document.createElement(tag);
  created.textContent = text;
  for (const name in attributes) created.setAttribute(name, attributes[name]);
  return created;
}

/**
 * Runs `work` when the button is clicked or the form is submitted, then renders the account again. The section
 * shows the text that `work` returns, or the error.
 */
export function on(control, work) {
  control.addEventListener(control.tagName === 'FORM' ? 'submit' : 'click', async (event) => {
    event.preventDefault();
    const section = control.closest('section');
    const [status, fault] = ['status', 'alert'].map((role) =>
      section.querySelector(`:scope > [role=${role}]`),
    );
    const button = control.tagName === 'FORM' ? control.querySelector('[type=submit]') : control;
    status.textContent = '';
    fault.textContent = '';
    button.disabled = true;
    try {
      const done = await work();
      await account.show();
      status.textContent = done ?? '';
    } catch (error) {
      fault.textContent = textOf(error);
    } finally {
      button.disabled = false;
      // Rendering may have removed the focused element.
      if (document.activeElement === document.body) section.querySelector('h2').focus();
    }
  });
}
