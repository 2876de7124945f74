export function currentBundle(root: string): string | undefined;
