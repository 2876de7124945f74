// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was answered
export type Loose = any;

/** An answer as a client sees it: the envelope, with the status line and headers. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Loose;
  data: Loose;
}
