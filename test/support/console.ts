import type { Answer } from './answer.ts';

/** Requests of a browser that is signed in to the console: with its cookie, and the headers that its pages send. */
export class ConsoleBrowser {
  readonly #url: string;
  cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request as a page of the console does; `headers` with undefined leave one out. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Pick<Answer, 'status' | 'headers'> & { body: Sent }> {
    const allHeaders = {
      'x-console': '1',
      origin: this.#url,
      cookie: this.cookie,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sentHeaders = Object.entries(allHeaders).filter((pair): pair is [string, string] =>
      Boolean(pair[1]),
    );
    const response = await fetch(this.#url + path, {
      method,
      headers: sentHeaders,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';', 1)[0] as string;
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : { text },
    };
  }

  signIn(email: string, password: string) {
    return this.send('POST', '/console/session', { email, password });
  }
}

/** The first administrator of every test platform. */
export { ADMIN } from './platform.ts';

interface Sent {
  text?: string;
  error?: string;
  data?: {
    user: { id: string; email: string; permissions: string[] } | null;
    provedUntil: string;
  } & Record<string, unknown>;
}
