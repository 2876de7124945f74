import type { TObject } from 'typebox';

/** A message that the platform sends to other systems by HTTP, as the description shows it. */
export interface OutgoingMessage {
  /** Its name on the wire: `wallet.funded`. */
  type: string;
  /** When it is sent, in a sentence. */
  summary: string;
  /** Incremented when a field changes its meaning; new fields do not count. */
  version: number;
  /** The shape of its body; named by its `$id`. */
  body: TObject;
}
