export const $ = (id) => document.getElementById(id);

/** The client of who is signed in, and what reads and shows the account anew. */
export const account = { api: undefined, show: undefined };

/** What a failure says to people; of several faults the first. */
export const textOf = (error) =>
  error.code === 'STEP_UP_REQUIRED'
    ? 'Nothing was changed, because you did not confirm.'
    : (error.fields?.[0]?.message ?? error.message);

export const timeOf = (instant) =>
  new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

export function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  return made;
}

/**
 * Does something for a button or a form of a section: it says what was done (the text that `work` returns) or why not,
 * and shows the account as it is then.
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
      // What had the focus may be gone.
      if (document.activeElement === document.body) section.querySelector('h2').focus();
    }
  });
}
