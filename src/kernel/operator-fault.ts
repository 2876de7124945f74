/** The program cannot run like this; the message tells its operator what to change, and is printed without a stack. */
export class OperatorFault extends Error {
  override readonly name: string = 'OperatorFault';
}
