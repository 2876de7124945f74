// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was answered
export type Loose = any;

/** An answer as a client sees it: the envelope, with the status line and headers. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Loose;
  data: Loose;
}

/** Calls the API as a client would, over HTTP, with one set of credentials. */
export class Client {
  readonly url: string;
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.url = url;
    this.headers = headers;
  }

  /** The same client with other or more headers; undefined leaves one out. */
  with(headers: Record<string, string | undefined>): Client {
    const merged = Object.entries({ ...this.headers, ...headers }).filter(([, value]) => value !== undefined);
    return new Client(this.url, Object.fromEntries(merged) as Record<string, string>);
  }

  as(token: string): Client {
    return this.with({ authorization: `Bearer ${token}` });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.sendText(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** Sends a body as it stands, with whatever content type the headers say. */
  async sendText(method: string, path: string, text?: string): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers },
      body: text,
      redirect: 'manual',
    });
    const received = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && received !== '';
    const body = isJson ? JSON.parse(received) : received;
    return { status: response.status, headers: response.headers, body, data: isJson ? body.data : undefined };
  }
}

/** Does something so many times, at most `lanes` at once: thousands of connections at once are a test of the client. */
export async function inLanes<T>(
  count: number,
  lanes: number,
  work: (number: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++) done[number] = await work(number);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}

let counter = 0;

/** An e-mail address that nobody else in this test file has. */
export const newEmail = (): string => `member${++counter}.${Date.now()}@example.com`;

export const PASSWORD = 'a password for tests';
