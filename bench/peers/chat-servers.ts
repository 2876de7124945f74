// The servers of the part `chat`: how each is started, killed, started again, and asked for the messages that it has stored.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from '../backlog.ts';
import { startFixture } from '../fixture.ts';
import { newRoom } from '../loads.ts';
import type { Target } from './chat-protocols.ts';
import { programOf } from './installed.ts';

export interface ChatServer {
  name: string;
  target: Target;
  pid: number;
  /** The PostgreSQL in which messages are stored; 0 if there is none. */
  postmasterPid: number;
  /** Waits until the work that messages leave behind is done. */
  settle?(): Promise<unknown>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  /** Returns the marks of all stored messages; nothing is stored without it. */
  marks?(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Members who send in turns, since a hundred messages a minute are allowed to each. */
const MEMBERS = 1_000;

export async function startOurs(): Promise<ChatServer> {
  const fixture = await startFixture(MEMBERS);
  const room = await newRoom(fixture);
  const tokens = fixture.members.map(({ token }) => token);
  const targetOf = (url: string): Target => ({ kind: 'ours', port: Number(new URL(url).port), room, tokens });
  const server: ChatServer = {
    name: 'ours',
    target: targetOf(fixture.url),
    pid: fixture.pid,
    postmasterPid: fixture.postmasterPid,
    settle: () => drain(fixture),
    kill: () => killed(server.pid),
    async startAgain() {
      const { url, pid } = await fixture.startAnother();
      server.target = targetOf(url);
      server.pid = pid;
    },
    async marks() {
      const rows = await fixture.ask(
        `select substring(message from '\\^\\d{11}') as mark from chat.message where message like '%^%'`,
      );
      return rows.map(({ mark }) => mark as string);
    },
    stop: fixture.stop,
  };
  return server;
}

/** Starts a program that listens on a port, and makes it a server of the benchmark. */
export async function serverOf(
  start: () => ChildProcess,
  { target, ...of }: Pick<ChatServer, 'name' | 'target' | 'postmasterPid'>,
): Promise<ChatServer> {
  let child: ChildProcess | undefined;
  // A benchmark that fails leaves nothing running.
  process.once('exit', () => child?.kill('SIGKILL'));
  const server: ChatServer = {
    ...of,
    target,
    pid: 0,
    kill: () => ended('SIGKILL'),
    async startAgain() {
      child = start();
      server.pid = child.pid as number;
      await listening(target.port, child);
    },
    stop: () => ended('SIGTERM'),
  };
  async function ended(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
  await server.startAgain();
  return server;
}

async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(5);
  }
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} has ended with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
}

const NATS_PORT = 4299;
const JETSTREAM_PORT = 4298;

/** NATS with its own settings: JetStream leaves it to the system when its files reach the disk, or asks every two minutes. */
export async function startNats(folder: string): Promise<ChatServer[]> {
  const program = programOf('nats-server');
  if (!program) return [];
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).replace(/.*v/, '').trim();
  const data = join(folder, 'nats');
  mkdirSync(data);
  const start = (port: number, ...more: string[]) => {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-l', join(data, `${port}.log`), ...more];
    return () => spawn(program, args, { stdio: 'ignore' });
  };
  const plain = await serverOf(start(NATS_PORT), {
    name: `NATS ${version}, nothing stored`,
    target: { kind: 'nats', port: NATS_PORT },
    postmasterPid: 0,
  });
  const stored = await serverOf(start(JETSTREAM_PORT, '-js', '-sd', data), {
    name: `NATS ${version}, JetStream`,
    target: { kind: 'jetstream', port: JETSTREAM_PORT },
    postmasterPid: 0,
  });
  const stream = { name: 'chat', subjects: ['room'], storage: 'file' };
  await ask(`PUB $JS.API.STREAM.CREATE.chat answer ${lengthAndText(stream)}`, /"created"/);
  stored.marks = readStream;
  return [plain, stored];
}

const lengthAndText = (what: object): string => {
  const text = JSON.stringify(what);
  return `${text.length}\r\n${text}\r\n`;
};

/** Sends to JetStream, and returns everything that came until the text ends with this. */
function ask(what: string, end: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const got: string[] = [];
    let tail = '';
    const socket = connect(JETSTREAM_PORT, '127.0.0.1');
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      got.push(bytes.toString('latin1'));
      tail = (tail + got.at(-1)).slice(-2_000);
      if (!end.test(tail)) return;
      socket.destroy();
      resolve(got.join(''));
    });
    socket.write(`CONNECT {"verbose":false,"headers":true}\r\nSUB answer 1\r\nSUB content 2\r\n${what}`);
  });
}

/** Has the whole stream delivered. */
async function readStream(): Promise<string[]> {
  const info = await ask('PUB $JS.API.STREAM.INFO.chat answer 0\r\n\r\n', /"last_seq"/);
  const [, messages] = /"messages":(\d+)/.exec(info) as unknown as [string, string];
  const consumer = { deliver_subject: 'content', deliver_policy: 'all', ack_policy: 'none' };
  const content = await ask(
    `PUB $JS.API.CONSUMER.CREATE.chat answer ${lengthAndText({ stream_name: 'chat', config: consumer })}`,
    // The reply subject of a delivered message ends with the number that are still to come.
    /\$JS\.ACK\.chat\.\S+\.0 [^^]*\^\d{11}\r\n/,
  );
  const marks = content.match(/\^\d{11}/g) ?? [];
  if (marks.length !== Number(messages)) throw new Error(`${marks.length} of ${messages} messages were read`);
  return marks;
}
