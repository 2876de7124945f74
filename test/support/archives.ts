import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** Returns the files of a ZIP, as text by their names. */
function unzipped(zip: Buffer): Map<string, string> {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END) end--;
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error('no entry of a directory');
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as number[];
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    const isDeflated = zip.readUInt16LE(at + 10) === DEFLATED;
    files.set(
      zip.toString('utf8', at + 46, at + 46 + (name ?? 0)),
      (isDeflated ? inflateRawSync(content) : content).toString('utf8'),
    );
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** Downloads the export behind a link. */
export async function downloaded(url: string | null): Promise<Map<string, string>> {
  const answer = await fetch(url ?? '');
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return unzipped(Buffer.from(await answer.arrayBuffer()));
}

/** Returns the records of an area in an export. */
export function linesIn(files: Map<string, string>, area: string): Record<string, unknown>[] {
  const text = files.get(`${area}.jsonl`);
  if (text === undefined) throw new Error(`no ${area}.jsonl among ${[...files.keys()]}`);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
