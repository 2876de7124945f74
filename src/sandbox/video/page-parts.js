export const $ = (id) => document.getElementById(id);

/** Who is signed in, and the course and the lesson that are chosen. */
export const chosen = { session: undefined, course: undefined, lesson: undefined };

async function ask(method, path, body) {
  const response = await fetch($('api').value + path, {
    method,
    headers: {
      'x-api-key': $('key').value,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(chosen.session?.accessToken ? { authorization: `Bearer ${chosen.session.accessToken}` } : {}),
    },
    body: body && JSON.stringify(body),
  });
  return response.json();
}

/** Asks the API; with a new access token where the former has run out. */
export async function call(method, path, body) {
  let answer = await ask(method, path, body);
  if (answer.error === 'TOKEN_EXPIRED') {
    const { refreshToken } = chosen.session;
    chosen.session.accessToken = undefined;
    const refreshed = await ask('POST', '/v1/auth/refresh-token', { refreshToken });
    if (!refreshed.success) throw new Error(refreshed.message);
    Object.assign(chosen.session, refreshed.data);
    answer = await ask(method, path, body);
  }
  if (answer.success) return answer.data;
  throw new Error(answer.errors?.[0]?.message ?? answer.message);
}

/** Runs what a button does, and shows why it failed. */
export const attempt = (work) => async (event) => {
  $('fault').textContent = '';
  try {
    await work(event);
  } catch (error) {
    $('fault').textContent = error.message;
  }
};

/** Puts options into a list, the first ones always, and disables it without others. */
export function fill(select, first, texts) {
  const options = [...first, ...texts].map(([value, text]) => new Option(text, value));
  select.replaceChildren(...options);
  select.disabled = texts.length === 0;
}
