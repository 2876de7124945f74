export const $ = (id) => document.getElementById(id);

/** The SDK client of the signed-in member, and the selected course and lesson. */
export const chosen = { api: undefined, user: undefined, course: undefined, lesson: undefined };

/** Returns the text that the page shows for an error; of several validation errors it is the first. */
export const textOf = (error) => error.fields?.[0]?.message ?? error.message;

/** Runs the action of a button, and shows why it failed. */
export const attempt = (work) => async (event) => {
  $('fault').textContent = '';
  try {
    await work(event);
  } catch (error) {
    $('fault').textContent = textOf(error);
  }
};

/** Fills a select element with fixed options followed by others, and disables it when there are no others. */
export function fill(select, first, texts) {
  const options = [...first, ...texts].map(([value, text]) => new Option(text, value));
  select.replaceChildren(...options);
  select.disabled = texts.length === 0;
}
