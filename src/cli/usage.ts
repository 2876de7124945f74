/** The command line was not understood; the message says what is missing. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}
