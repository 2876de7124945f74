import { validationFailed } from '../../kernel/failures.ts';
import type { Vocabulary } from './vocabulary.model.ts';

/**
 * Checks that metadata from an administrator contains the ids of its action; the shape admits only known actions.
 * @throws validationFailed, naming the missing ids within the field
 */
export function checkAction(
  { actions }: Vocabulary,
  metadata: Record<string, unknown> | undefined,
  field: string,
): void {
  const action = actions.get(String(metadata?.action));
  const missing = action?.ids.filter((id) => metadata?.[id] === undefined) ?? [];
  if (missing.length > 0)
    throw validationFailed(
      missing.map((id) => ({ field: `${field}.${id}`, message: `is required for ${action?.name}` })),
    );
}
