/**
 * The program cannot run with this configuration or environment. The message tells the operator what to change, and is
 * printed without a stack.
 */
export class OperatorFault extends Error {
  override readonly name: string = 'OperatorFault';
}
