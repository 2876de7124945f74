import { OperatorFault } from '../kernel/operator-fault.ts';

/** Explains that a dependency is not installed; returns undefined for other errors. */
export function missingPackage(error: unknown): OperatorFault | undefined {
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string };
  const [, name] = /^Cannot find package '([^']+)'/.exec(message) ?? [];
  if (code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) return undefined;
  return new OperatorFault(`The package ${name} is not installed. Run "npm ci" first.`);
}
