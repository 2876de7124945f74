export const $ = (id) => document.getElementById(id);

/** The client of who is signed in, and the course and the lesson that are chosen. */
export const chosen = { api: undefined, user: undefined, course: undefined, lesson: undefined };

/** What a failure says to people; of several faults the first. */
export const textOf = (error) => error.fields?.[0]?.message ?? error.message;

/** Runs what a button does, and shows why it failed. */
export const attempt = (work) => async (event) => {
  $('fault').textContent = '';
  try {
    await work(event);
  } catch (error) {
    $('fault').textContent = textOf(error);
  }
};

/** Puts options into a list, the first ones always, and disables it without others. */
export function fill(select, first, texts) {
  const options = [...first, ...texts].map(([value, text]) => new Option(text, value));
  select.replaceChildren(...options);
  select.disabled = texts.length === 0;
}
