/** The command line is invalid; the message says what is missing. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}
