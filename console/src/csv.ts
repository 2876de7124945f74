/** Texts that a spreadsheet would calculate are quoted with an apostrophe. */
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

/** Writes rows as a CSV text: a column for each of their fields; fields of an object within are columns of their own. */
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

/** Gives the browser a file to keep. By its first character, a byte order mark, spreadsheets know that it is UTF-8. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
