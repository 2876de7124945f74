export type CsvCell = string | number | Date | null | undefined;

/** Returns a line of CSV (RFC 4180). */
export const csvLine = (...cells: CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  // Spreadsheets execute text that begins like a formula (OWASP, CSV injection).
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
