/** Formats a value as a CSV cell. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const isFormula = typeof value !== 'number' && /^[=+\-@\t\r\n]/.test(text);
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** Formats rows as CSV with one column for each field; fields of nested objects get columns of their own. */
export function csvOf(rows: object[]): string {
  const flat = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.entries(value).map(([inner, content]) => [`${name}.${inner}`, content])
          : [[name, value]],
      ),
    ),
  );
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  return [names.map(cellOf), ...flat.map((row) => names.map((name) => cellOf(row[name])))]
    .map((cells) => cells.join(','))
    .join('\r\n');
}

/** Lets the browser download a CSV file. It starts with a byte order mark, by which spreadsheets recognize UTF-8. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
