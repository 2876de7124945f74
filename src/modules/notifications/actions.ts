import { type FieldFault, validationFailed } from '../../kernel/failures.ts';
import type { Vocabulary } from './vocabulary.model.ts';

type Metadata = Record<string, unknown> | undefined;

/** Returns the ids of its action that metadata from an administrator lacks; the shape admits only known actions. */
export function actionFaults({ actions }: Vocabulary, metadata: Metadata, field: string): FieldFault[] {
  const action = actions.get(String(metadata?.action));
  const missing = action?.ids.filter((id) => metadata?.[id] === undefined) ?? [];
  return missing.map((id) => ({ field: `${field}.${id}`, message: `is required for ${action?.name}` }));
}

/** @throws validationFailed, naming the missing ids within the field */
export function checkAction(words: Vocabulary, metadata: Metadata, field: string): void {
  const faults = actionFaults(words, metadata, field);
  if (faults.length > 0) throw validationFailed(faults);
}
