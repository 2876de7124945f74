import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Config, ConfigurationFault, developmentFile } from '../app/config.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { remembered } from './development-credentials.ts';
import { isOnPath } from './provide-ffmpeg.ts';
import { wrapped } from './wrapped.ts';

/** Marks a line as the report of a request rather than output of the tour's commands. */
const MARK = '\u001e';
const WIDTH = 80;

interface Chapter {
  title: string;
  /** The commands of its blocks, with their comments. */
  script: string;
}

/** The pages that can be run. */
export type TourPage = 'tour' | 'year';

/**
 * `tour`: runs the commands of a page of docs/ against the running server, and prints each request with a summary
 * of its response. A line `#> text` of the page states what the response before it must contain.
 * @throws OperatorFault at the first response that does not contain it
 */
export async function tour(config: Config, name: TourPage = 'tour'): Promise<void> {
  if (config.environment === 'production') throw new ConfigurationFault('tour is for development only');
  await findServer(remembered(developmentFile(config)).api);
  const folders: Record<string, string> = {
    './.data/': `${resolve(config.dataDir)}/`,
    '/tmp/': `${tmpdir()}/`,
  };
  const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8').replace(
    /\.\/\.data\/|\/tmp\//g,
    (folder) => folders[folder] as string,
  );
  const all = chaptersOf(page);
  const needing = isOnPath('ffmpeg') ? -1 : all.findIndex(({ script }) => script.includes('ffmpeg'));
  const chapters = needing === -1 ? all : all.slice(0, needing);
  await runScript(scriptOf(chapters, process.stdin.isTTY && process.stdout.isTTY));
  console.log(
    needing === -1
      ? '\nThe tour is over.'
      : '\nThe next chapter needs ffmpeg, which is not installed: the tour ends here.',
  );
}

/** @throws OperatorFault when no server answers */
async function findServer(url: string | undefined): Promise<void> {
  const answer = url ? await fetch(`${url}/health/ready`).catch(() => undefined) : undefined;
  if (!answer?.ok)
    throw new OperatorFault('No server is running here. Run "npm start" in another terminal first.');
}

/** Returns the sections of the page that contain commands. */
function chaptersOf(page: string): Chapter[] {
  return page.split(/^## /m).flatMap((section) => {
    const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
    const [title = ''] = section.split('\n', 1);
    return blocks.length > 0 ? [{ title, script: blocks.join('') }] : [];
  });
}

/** Wraps curl, so that every call reports its method, its address and, in one line, its response. */
const REPORTING_CURL = `exec 3>&1
curl() {
  local method=GET url=- answer previous=
  for word in "$@"; do
    case "$previous" in -X) method=$word;; -d) [ $method = GET ] && method=POST;; -T) method=PUT;; esac
    case "$word" in http*) url=$word;; esac
    previous=$word
  done
  answer=$(command curl "$@")
  printf '${MARK}request\\t%s\\t%s\\t%s\\n' "$method" "$url" "$(printf %s "$answer" | tr '\\n\\r\\t' '   ')" >&3
  [ -z "$answer" ] || printf '%s\\n' "$answer"
}
`;

const tell = (kind: string, text = ''): string =>
  `printf '%s\\n' '${MARK}${kind}\t${text.replaceAll("'", "'\\''")}'\n`;

function scriptOf(chapters: Chapter[], pauses: boolean): string {
  const parts = chapters.map(({ title, script }, place) => {
    const pause = pauses && place > 0 ? `${tell('pause')}read -r _ </dev/tty\n` : '';
    return (
      pause +
      tell('chapter', title) +
      script
        .replace(/^# (.*)$/gm, (_, text) => tell('comment', text).trimEnd())
        .replace(/^#> (.*)$/gm, (_, text) => tell('expected', text).trimEnd())
    );
  });
  return REPORTING_CURL + parts.join('\n');
}

async function runScript(script: string): Promise<void> {
  const child = spawn('bash', ['-c', script], { stdio: ['inherit', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const printer = printing();
  let disappointment: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind = '', ...parts] = line.startsWith(MARK) ? line.slice(1).split('\t') : ['output', line];
    if (kind !== 'expected') printer.print(kind, textOf(kind, parts));
    else if (!printer.answer().includes(parts[0] ?? '')) {
      disappointment = `The page says "${parts[0]}", but the answer was: ${printer.answer().trim()}`;
      child.kill();
      break;
    }
  }
  await ended;
  if (disappointment) throw new OperatorFault(disappointment);
  if (child.exitCode !== 0)
    throw new OperatorFault(`The tour ended early, with ${child.exitCode ?? child.signalCode}.`);
}

/** Prints reports, shortened, and remembers the last answer at full length. */
function printing() {
  let last = '';
  let answer = '';
  return {
    /** The last request, its response, and what the commands have printed since. */
    answer: () => answer,
    print(kind: string, report: string | undefined): void {
      if (report === undefined) return;
      if (kind === 'request') answer = report;
      else if (kind === 'output') answer += report;
      const short = kind === 'request' ? report.split('\n').map(cut).join('\n') : report;
      // A loop that waits for a change repeats a request; equal consecutive responses are printed once.
      if (short !== last || !short.startsWith('  GET ')) console.log(short);
      last = short;
    },
  };
}

function textOf(kind: string, parts: string[]): string | undefined {
  const [text = '', url = '', answer = ''] = parts;
  if (kind === 'pause') return '\n(Press Enter to continue, Ctrl-C to end the tour.)';
  if (kind === 'chapter') return `\n${text}\n${'='.repeat(text.length)}`;
  if (kind === 'comment') return `\n# ${wrapped(text, 2)}`;
  // Responses in the envelope are already shown with their request.
  if (kind === 'output') return text === '' || text.startsWith('{"success":') ? undefined : `      ${text}`;
  return `  ${text} ${url.replace(/^https?:\/\/[^/]*/, '')}${summaryOf(answer)}`;
}

/** Returns the status, the message and the data of a response in the envelope. */
function summaryOf(answer: string): string {
  const [text] = /\{"success":.*\}/.exec(answer) ?? [];
  if (!text) return '';
  const { status, error, message, data } = JSON.parse(text);
  const lines = [`      ${status} ${error ? `${error}: ` : ''}${message}`];
  if (data !== undefined && data !== null) lines.push(`      ${JSON.stringify(data)}`);
  return `\n${lines.join('\n')}`;
}

const cut = (line: string): string => (line.length > WIDTH ? `${line.slice(0, WIDTH - 4)} ...` : line);
