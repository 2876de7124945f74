import { OperatorFault } from '../kernel/operator-fault.ts';

/** The command line is invalid; the message says what is missing. */
export class UsageFault extends OperatorFault {
  override readonly name = 'UsageFault';
}
